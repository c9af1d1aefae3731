"""The words in class names, ids and roles of elements, and their senses."""

import re
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.extract.compiled import native

MAX_LENGTH = 60
MOST_NAMES = 12
_MOST_WORDS = 8
# Tag, class, id, and role or itemprop of an element, as written.
Names = tuple[str, str, str, str]
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TAGS = (
    "nav",
    "footer",
    "aside",
    "header",
    "main",
    "article",
    "section",
    "form",
    "li",
    "table",
    "p",
)

# Each row is one sense: a column of the features. A star stands for any ending; two words that
# follow each other also count as one ("side-bar", "readMore"). Behind the English words are those
# of other languages, as programmers spell them: without accents, Greek, Russian and Chinese in
# Latin letters.
_SENSES = (
    "nav navbar navigation menu* submenu breadcrumb* pagination pager toolbar topbar masthead skip*"
    " sitemap navegacion navigazione navegacao nawigacja okruszki brotkrumen brodkrumm* fildariane"
    " chlebicek migas daohang mianbaoxie",
    "foot footer copyright contentinfo colophon legal disclaimer* disclosure* fuss* fusszeile"
    " impressum rodape stopka podval patka paticka altbilgi voettekst piedepagina banquan",
    "sidebar aside complementary widget* leftcol rightcol leftcolumn rightcolumn rail"
    " seitenleiste randspalte marginalspalte kenarcubugu zijbalk cebian",
    "related recommend* morefrom moreposts morestories morearticles readnext upnext trending"
    " popular latest recent similar alsolike alsobought suggest* upsell crosssell"
    " verwandt* aehnlich* weiterlesen beliebt* meistgelesen* relacionad* correlat* connexe*"
    " lireaussi populaire* powiazan* polecan* najnowsze popularne podobne souvisejici nejctenejsi"
    " ilgili benzer* ilgilihaber* populer encokokunan* terkait terpopuler terkini terbaru"
    " bacajuga gerelateerd* meestgelezen kapcsolodo ajanlo lienquan tinlienquan tuijian xiangguan"
    " remen kanren relaterad* pohozh* popularn* legut*",
    "comment* disqus respond reply replies discussion* review* rating* testimonial*"
    " kommentar* kommentt* commentaire* comentari* commenti commento komentar* komentarz* opinie"
    " opinia yorum* reactie reacties otzyv* obsuzhd* diskuse diskuze hozzaszol* binhluan pinglun"
    " liuyan sxoli* sholia leserbrief* avis ulasan tanggapan",
    "social share* sharing follow* twitter facebook instagram linkedin whatsapp telegram vkontakte"
    " teilen partage* partager compartir compartilh* condividi condivid* udostepn* podelit* paylas*"
    " bagikan delen dela sdilet sdileni fenxiang weibo weixin",
    "ad ads advert* sponsor* promo* banner* cta outbrain taboola werbung anzeige anzeigen"
    " publicite publicidad* publicidade pubblicita reklam* advertentie* iklan annons* hirdetes"
    " quangcao guanggao inzerce",
    "cookie* consent* gdpr onetrust modal* popup* overlay* dialog* toast newsletter* subscri*"
    " signup login register paywall alert* anmelden anmeldung abonnement* abonnieren suscri*"
    " inscri* logowanie prihlaseni uyelik langganan masuk denglu zhuce",
    "author* byline* bio contributor* writer* profile* autor* auteur* autore* yazar* penulis*"
    " avtor* redaktion redactie redaksi wartawan zuozhe bianji tacgia kisha forfatter forfattare"
    " szerzo muhabir",
    "meta date* time* published tag tags categor* label* badge* datum* fecha* tarih* tanggal*"
    " kategori* schlagwort* etiqueta* etiket* znaczniki stitky riqi shijian laiyuan biaoqian"
    " uhrzeit dataora",
    "article* post posts entry story blog news richtext prose markdown rte wysiwyg"
    " artikel* artikull* articolo articulo artigo artykul* clanek statya novost* noticia* notizia"
    " notizie nachricht* actualit* haber* berita* wiadomosc* cikk cikkek xinwen wenzhang kiji gisa"
    " arthro stire stiri nyhed* nyhet* uutinen uutiset entrada",
    "content* body main text copy description* detail* inhalt* haupttext fliesstext contenu*"
    " contenido* conteudo* contenuto* corpo cuerpo texto texte testo tekst* tresc obsah metin"
    " icerik konten isi inhoud tartalom innehall neirong zhengwen honbun keimeno noidung soderzh*",
    "card* tile* item* grid list* product* teaser* result* carousel* slide* swiper liste lista"
    " kachel* ergebnis* produkt* producto* produit* produto* prodotto* urun* produk",
    "toc tableofcontents contents outline inhaltsverzeichnis sommaire daftarisi icindekiler mulu",
    "thread* message* topic* question* answer* forum* frage* antwort* beitrag* pregunta*"
    " respuesta* reponse* pertanyaan jawaban soru cevap tema temy",
    "accordion* faq* tab tabs tabpanel tabbed panel* collaps* expand* akkordeon sekme reiter",
    "hero header title* headline* heading* intro* summary lead excerpt* standfirst dek"
    " titel* titulo* titre* titolo* tytul* nadpis* baslik* judul* ueberschrift* kopf* vorspann"
    " chapo chapeau bajada entradilla sommario perex zajawka spot ozet manset ringkasan zagolovok"
    " biaoti zhaiyao rubrik ingress",
    "search* filter* sort* facet* form forms input* button* btn* suche* suchfeld recherche*"
    " busca busqueda buscador cerca ricerca szukaj poisk hledat arama cari pencarian zoeken sok"
    " kereses sousuo kensaku formular*",
    "price* cart* buy* basket* checkout shipping stock sku quantity wishlist preis* warenkorb"
    " prix precio* preco* prezzo* cena fiyat* harga* keranjang sepet panier carrito koszyk kosik",
    "spec* attribute* feature* propert* ingredient* instruction* nutrition recipe* zutat* zutaten"
    " zubereitung rezept* recette* receta* ricetta* resep* tarif* skladnik* prepis eigenschaft*"
    " caracteristica*",
)
COUNT = len(_SENSES) + len(_TAGS)
# The bit of the row about comments.
COMMENTS = 1 << next(number for number, row in enumerate(_SENSES) if row.startswith("comment*"))
_EXACT: dict[str, int] = {}
for _number, _row in enumerate(_SENSES):
    for _word in _row.split():
        if not _word.endswith("*"):
            _EXACT[_word] = _EXACT.get(_word, 0) | 1 << _number
_PREFIX = re.compile(
    "|".join(
        "({})".format("|".join(word[:-1] for word in row.split() if word.endswith("*")) or "(?!)")
        for row in _SENSES
    )
)
_OF_TAGS = {tag: 1 << len(_SENSES) + number for number, tag in enumerate(_TAGS)}


@lru_cache(maxsize=50_000)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words that a class name is made of, in lower case, each once."""
    found = dict.fromkeys(word.lower() for word in _WORD.findall(name[:MAX_LENGTH]))
    return tuple(word for word in found if len(word) > 1)[:_MOST_WORDS]


@lru_cache(maxsize=50_000)
def senses_of_name(name: str) -> int:
    """Return the senses that a single class name, id or role has, a bit for each."""
    senses = 0
    previous = ""
    for word in words_of(name):
        senses |= _senses_of_word(word) | _EXACT.get(previous + word, 0)
        previous = word
    return senses


def senses_of_all(elements: list[Names]) -> NDArray[np.int64]:
    """Return the senses of the tags and names of many elements."""
    if native is None:
        return np.array([senses_of(element) for element in elements], np.int64)
    return np.frombuffer(native.name_senses(elements, *_lexicons()), np.int64)


@cache
def _lexicons() -> tuple[Any, Any, Any]:
    """Return the senses of tags, of words, and of beginnings of words, for the compiled part."""
    beginnings: dict[str, int] = {}
    for number, row in enumerate(_SENSES):
        for word in row.split():
            if word.endswith("*"):
                beginnings.setdefault(word[:-1], number)
    return native.Lexicon(_OF_TAGS), native.Lexicon(_EXACT), native.Lexicon(beginnings)


def senses_of(element: Names) -> int:
    """Return the senses that an element's tag and names have, a bit for each."""
    senses = _OF_TAGS.get(element[0], 0)
    for name in single_names(element):
        senses |= senses_of_name(name)
    return senses


def words_alike(word: str) -> list[str]:
    """Return the words that names have for the first sense of a word, in all languages."""
    senses = _senses_of_word(word.lower())
    first = (senses & -senses).bit_length() - 1
    return [each.removesuffix("*") for each in _SENSES[first].split()] if senses else []


def single_names(element: Names) -> list[str]:
    """Return the classes, id, role and itemprop of an element one by one."""
    _, classes, identity, role = element
    names = classes.split(None, MOST_NAMES)[:MOST_NAMES] if classes else []
    if identity:
        names.append(identity)
    if role:
        names.append(role)
    return names


@lru_cache(maxsize=20_000)
def _senses_of_word(word: str) -> int:
    found = _PREFIX.match(word)
    senses = 1 << (found.lastindex or 1) - 1 if found else 0
    return senses | _EXACT.get(word, 0)
