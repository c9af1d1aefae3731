"""The names of the months in some sixty languages, as dates have them."""

# One row per month: full names, as in a date and alone, and abbreviations without their stop.
_NAMES = (
    "jan january januari januar jänner ocak oca janvier janv enero ene gennaio gen janeiro "
    "stycznia styczeń января янв январь sty січня січ січень студзеня сту студзень януари яну "
    "јануари јан јануар ledna led leden januára január ianuarie ian tammikuuta tammi tammikuu "
    "jaanuar jaan janvāris sausio saus sausis ιανουαρίου ιαν ιανουάριος ינואר ינו يناير ژانویهٔ "
    "ژانویه जनवरी जन জানুয়ারী জানু ஜனவரி ஜன జనవరి జన जानेवारी जाने જાન્યુઆરી જાન્યુ جنوری "
    "มกราคม ม.ค იანვარი იან հունվարի հնվ հունվար yanvar yan қаңтар қаң janar janúar eanáir ean "
    "ionawr ion urtarrila urt gener xaneiro xan januarie جانفي siječnja siječanj",
    "feb february februari februar şubat şub février févr fév fevrier febrero febbraio "
    "fevereiro fev lutego luty февраля фев февраль lut февр лютого лют лютий лютага люты "
    "февруари фебруар феб února úno únor februára február februarie febr helmikuuta helmi "
    "helmikuu veebruar veebr februāris vasario vas vasaris φεβρουαρίου φεβ φεβρουάριος פברואר "
    "פבר فبراير فوریهٔ فوریه फ़रवरी फ़र ফেব্রুয়ারী ফেব பிப்ரவரி பிப் ఫిబ్రవరి ఫిబ్ర फेब्रुवारी "
    "फेब्रु ફેબ્રુઆરી ફેબ્રુ فروری फेब्रुअरी กุมภาพันธ์ ก.พ თებერვალი თებ փետրվարի փտվ փետրվար "
    "fevral ақпан ақп shkurt shk febrúar feabhra feabh chwefror chwef chw otsaila ots febrer "
    "febreiro pebrero peb subat شباط فيفري veljače veljača",
    "mar march maret märz mär mart mars marzo março marco maart mrt marca marzec марта мар март "
    "mac березня бер березень сакавіка сак сакавік marec března bře březen martie március márc "
    "maaliskuuta maalis maaliskuu marts märts kovo kov kovas μαρτίου μαρ μάρτιος μάρ מרץ مارس "
    "मार्च মার্চ மார்ச் மார் మార్చి માર્ચ مارچ มีนาคม มี.ค მარტი მარ մարտի մրտ մարտ наурыз нау "
    "márta mawrth maw martxoa març machi marso آذار ožujka ožujak",
    "apr april nisan nis avril avr abril abr aprile kwietnia kwiecień апреля апр апрель kwi "
    "квітня квіт квітень красавіка кра красавік април dubna dub duben apríla apríl aprilie "
    "április ápr huhtikuuta huhti huhtikuu aprill aprīlis balandžio bal balandis απριλίου απρ "
    "απρίλιος אפריל אפר أبريل آوریل अप्रैल এপ্রিল এপ্রি ஏப்ரல் ஏப் ఏప్రిల్ ఏప్రి एप्रिल एप्रि "
    "એપ્રિલ اپریل अप्रिल เมษายน เม.ย აპრილი აპრ ապրիլի ապր ապրիլ aprel сәуір сәу prill pri "
    "aibreán aib ebrill ebr apirila api aprili نيسان ابريل أفريل افريل travnja travanj",
    "may mei mai mayıs mayo maggio mag maio maja maj мая май травня трав травень мај května kvě "
    "květen mája máj május toukokuuta touko toukokuu maijs gegužės geg gegužė μαΐου μαΐ μάιος "
    "μάι מאי مايو مهٔ مه मई মে மே మే मे મે مئی พฤษภาคม พ.ค მაისი მაი մայիսի մյս մայիս мамыр мам "
    "maí bealtaine beal maiatza maig mayis أيار ماي می svibnja svibanj",
    "jun june juni haziran haz juin junio giugno giu junho czerwca czerwiec июня июн июнь cze "
    "червня черв червень чэрвеня чэр чэрвень юни јуни јун junij června čvn červen júna jún "
    "iunie iun június kesäkuuta kesä kesäkuu juuni jūnijs jūn birželio birž birželis ιουνίου "
    "ιουν ιούνιος ιούν יוני يونيو ژوئن जून জুন ஜூன் జూన్ જૂન جون जुन มิถุนายน มิ.ย ივნისი ივნ "
    "հունիսի հնս հունիս iyun iyn маусым мау qershor qer júní meitheamh meith mehefin meh ekaina "
    "eka juny xuño junie hunyo hun حزيران جوان يونيه lipnja lipanj",
    "jul july juli temmuz tem juillet juil julio luglio lug julho lipca lipiec июля июл июль "
    "julai lip липня лип липень ліпеня ліп ліпень юли јули јул julij července čvc červenec júla "
    "júl iulie iul július heinäkuuta heinä heinäkuu juuli jūlijs jūl liepos liep liepa ιουλίου "
    "ιουλ ιούλιος ιούλ יולי يوليو ژوئیهٔ ژوئیه जुलाई जुल জুলাই জুল ஜூலை జులై जुलै જુલાઈ جولائی "
    "กรกฎาคม ก.ค ივლისი ივლ հուլիսի հլս հուլիս iyul iyl шілде шіл korrik korr júlí iúil "
    "gorffennaf gorff gor uztaila uzt juliol xullo xul julie hulyo hul تموز جويلية يوليوز يوليه "
    "srpnja srpanj",
    "aug august agustus agu agt ağustos ağu août aout agosto ago augustus sierpnia sierpień "
    "августа авг август ogos ogo sie серпня серп серпень жніўня жні жнівень avgust avg srpna "
    "srp srpen augusta augusztus elokuuta elo elokuu augusti augusts rugpjūčio rugp rugpjūtis "
    "αυγούστου αυγ αύγουστος αύγ אוגוסט אוג أغسطس اوت अगस्त अग আগস্ট আগ ஆகஸ்ட் ஆக ఆగస్టు ఆగ "
    "ऑगस्ट ऑग ઑગસ્ટ اگست अगस्ट สิงหาคม ส.ค აგვისტო აგვ օգոստոսի օգս օգոստոս avqust avq тамыз "
    "там gusht gush ágúst ágú lúnasa lún awst abuztua abu agost agosti agustos آب أوت اغسطس غشت "
    "kolovoza kolovoz",
    "sep sept september eylül eyl septembre septiembre settembre set setembro września wrzesień "
    "сентября сен сент сентябрь wrz вересня вер вересень верасня верасень септември сеп "
    "септембар září zář septembra septembrie szeptember szept syyskuuta syys syyskuu septembris "
    "rugsėjo rugs rugsėjis σεπτεμβρίου σεπ σεπτέμβριος ספטמבר ספט سبتمبر سپتامبر सितंबर सित "
    "সেপ্টেম্বর সেপ செப்டம்பர் செப் సెప్టెంబర్ సెప్టెం सप्टेंबर सप्टें સપ્ટેમ્બર સપ્ટે ستمبر "
    "सेप्टेम्बर กันยายน ก.ย სექტემბერი სექ սեպտեմբերի սեպ սեպտեմբեր sentyabr sen қыркүйек қыр "
    "sentabr shtator sht mfómh medi iraila ira setembre septemba setyembre eylul أيلول شتنبر "
    "rujna rujan",
    "oct october oktober okt ekim eki octobre octubre ottobre ott outubro out października "
    "październik октября окт октябрь paź жовтня жовт жовтень кастрычніка кас кастрычнік "
    "октомври октобар října říj říjen októbra október octombrie lokakuuta loka lokakuu oktoober "
    "oktobris spalio spal spalis οκτωβρίου οκτ οκτώβριος אוקטובר אוק أكتوبر اکتبر अक्टूबर अक्टू "
    "অক্টোবর অক্টো அக்டோபர் அக் అక్టోబర్ అక్టో ऑक्टोबर ऑक्टो ઑક્ટોબર ઑક્ટો اکتوبر अक्टोबर "
    "ตุลาคม ต.ค ოქტომბერი ოქტ հոկտեմբերի հոկ հոկտեմբեր oktyabr қазан қаз oktabr tetor tet dfómh "
    "hydref hyd urria urr oktoba oktubre اكتوبر",
    "nov november kasım kas novembre noviembre novembro listopada listopad ноября ноя ноябрь "
    "lis нояб листопада лист листопад лістапада ліс лістапад ноември ное новембар нов listopadu "
    "novembra noiembrie marraskuuta marras marraskuu novembris lapkričio lapkr lapkritis "
    "νοεμβρίου νοε νοέμβριος νοέ נובמבר נוב نوفمبر نوامبر नवंबर नव নভেম্বর নভে நவம்பர் நவ "
    "నవంబర్ నవం नोव्हेंबर नोव्हें નવેમ્બર નવે نومبر नोभेम्बर พฤศจิกายน พ.ย ნოემბერი ნოე "
    "նոյեմբերի նոյ նոյեմբեր noyabr noy қараша қар nëntor nën nóvember nóv samhain samh tachwedd "
    "tach azaroa aza novemba nobyembre nob kasim نونبر studenoga studenog studeni",
    "dec december desember des dezember dez aralık ara décembre déc decembre diciembre dic "
    "dicembre dezembro grudnia grudzień декабря дек декабрь disember dis gru грудня груд "
    "грудень снежня сне снежань декември децембар дец prosince pro prosinec decembra decembrie "
    "joulukuuta joulu joulukuu detsember dets decembris gruodžio gruod gruodis δεκεμβρίου δεκ "
    "δεκέμβριος דצמבר דצמ ديسمبر دسامبر दिसंबर दिस ডিসেম্বর ডিসে டிசம்பர் டிச డిసెంబర్ డిసెం "
    "डिसेंबर डिसें ડિસેમ્બર ડિસે دسمبر डिसेम्बर ธันวาคม ธ.ค დეკემბერი დეკ դեկտեմբերի դեկ "
    "դեկտեմբեր dekabr dek желтоқсан жел dhjetor dhj nollaig noll rhagfyr rhag abendua abe "
    "desembre decembro desemba disyembre aralik دجنبر prosinca prosinac",
)
_NAMES_OF_TWO_WORDS = {
    "كانون الثاني": 1, "تشرين الأول": 10, "تشرين الثاني": 11, "كانون الأول": 12,
    "meán fómhair": 9, "deireadh fómhair": 10,
}  # fmt: skip
MONTHS = _NAMES_OF_TWO_WORDS | {
    name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()
}
# Words that mean one month in a language, and another in those above.
MONTHS_OF_LANGUAGE = {"hr": {"listopada": 10, "listopad": 10, "lip": 6, "srp": 7}}
_PERSIAN_NAMES = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
PERSIAN_MONTHS = {name: number for number, name in enumerate(_PERSIAN_NAMES.split(), start=1)}
