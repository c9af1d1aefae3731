"""The words beside a date that say what happened on that day, in some forty languages."""

import re

_PUBLISHED = (
    r"publi(?:sh|cat|é|cad|quat|kov|cer|ser|kas)|posted|submitted|"
    r"pubblicat|inserito|postad|veröffentlicht|erschienen|eingestellt|verfasst|gepostet|"
    r"geschrieben|erstellt|gespeichert|mis en ligne|paru|posté|rédigé|"
    r"gepubliceerd|geplaatst|verschenen|"
    r"opublikowan|dodano|zamieszczon|zveřejněn|vydán|uverejnen|"
    r"udgivet|offentliggjort|julkaistu|közzét|megjelen|objavljen|avaldatud|paskelbta|"
    r"diterbitkan|dipublikasikan|diposting|terbit|yayın|yayım|eklenme|đăng|"
    r"опубликован|размещен|публикаци|публикуван|опубліков|објављ|δημοσι|αναρτ|"
    r"公開|投稿|掲載|配信|発行|发布|發布|發佈|发表|發表|刊登|刊發|刊发|入力|입력|등록|게시|작성일|송고|발행|"
    r"this (?:entry|post|article) was|dieser (?:artikel|beitrag|eintrag) wurde|"
    r"cet article a été|est[ea] (?:artículo|entrada) fue|dit (?:artikel|bericht) (?:is|werd)|"
    r"פורסם|نشر|انتشار|شائع|प्रकाशित|প্রকাশ|வெளியிட|เผยแพร่|โพสต์"
)
PUBLISHED = re.compile(rf"(?:first |originally )?(?:{_PUBLISHED})", re.IGNORECASE)
CHANGED = re.compile(
    r"updat|modif|review|revised|aktuali|geändert|überarbeitet|mis à jour|mise à jour|actualiz|"
    r"aggiornat|atualiz|bijgewerkt|gewijzigd|diperbarui|güncel|değiş|zmian|zmieni|uppdater|"
    r"opdater|oppdater|päivit|muokat|frissít|módosít|změn|ažur|обновл|изменен|оновлен|змін|ενημ|"
    r"cập nhật|更新|修改|編集|最終|수정|업데이트|עודכן|تحديث|به ?روز|अपडेट|แก้ไข|อัปเดต|"
    r"last edit|edited",
    re.IGNORECASE,
)
OTHER_DAYS = re.compile(
    r"joined|member since|last (?:post|reply|visit|activity)|valid|©|copyright|expires|deadline|"
    r"event|due|bergabung|beigetreten|registered|registriert|mitglied seit|inscrit|gültig|"
    r"\btermine?\b|\bborn\b|geboren|accessed|abgerufen|retrieved|today|heute|注册|登録日|가입",
    re.IGNORECASE,
)
# What shops and libraries say of books and films.
OF_WARES = re.compile(
    r"publisher|publication date|release|first available|isbn|verlag|erscheinungs|éditeur|editora|"
    r"出版|発売",
    re.IGNORECASE,
)
# Words that alone, before a colon, announce a day; and what may stand after the day.
_LABEL_ALONE = (
    r"date|datum|data|fecha|dato|päivämäärä|dátum|tarih|tanggal|дата|ημερομηνία|ngày|日期|时间|時間|"
    r"日時|날짜|التاريخ|تاریخ|תאריך|दिनांक|วันที่"
)
LABEL = re.compile(rf"(?:{_LABEL_ALONE})\s?[:：]", re.IGNORECASE)
PUBLISHED_BEHIND = re.compile(
    r"\W{0,3}(?:(?:um|at|om|kl\.?|à|alle|às|o)\s)?[\d:.h]{0,8}\s?(?:uhr|h)?\W{0,3}"
    r"(?:von \S+(?: \S+)?\s)?"
    r"(?:veröffentlicht|gepostet|geschrieben|erstellt|gespeichert|verfasst|eingestellt|"
    r"gepubliceerd|geplaatst|公開|投稿|掲載|発行|发表|發表|发布|發布|刊登|게시|등록|입력|publicerad|julkaistu)",
    re.IGNORECASE,
)
