"""Words that begin with a capital and are no names, and words that names are made with."""

from pipeline.facts.words import FULL_MONTHS, listed

_ORDINARY = {
    "ca": """
        el la els les un una uns unes l d en na a al als de del dels per pel pels amb sense sota sobre entre des
        fins cap contra durant segons mitjançant davant darrere dins fora vora prop lluny abans després dalt baix
        malgrat tret excepte llevat i o u ni però sinó que qui què quin quina quins quines quan quant quanta quants
        quantes com on perquè si doncs així també tampoc només sols ja encara sempre mai potser tot tota tots totes
        tothom cada cadascun cadascuna algun alguna alguns algunes altre altra altres ningú res molt molta molts
        moltes poc poca pocs poques massa més menys força prou aquest aquesta aquests aquestes aquell aquella
        aquells aquelles això allò aquí allà allí ara avui ahir demà aleshores llavors finalment primer primera
        segon segona tercer tercera jo tu ell ella nosaltres vosaltres ells elles ens us es se em et hi ho li seu
        seva seus seves meu meva nostre nostra nostres vostre vostra és són era eren ha han hem havia havien va van
        vam vaig serà seran cal calia s'ha n'hi n'ha dos dues tres quatre cinc sis set vuit nou deu onze dotze vint
        trenta cent mil ambdós ambdues mateix mateixa alhora tanmateix gràcies fa vers envers arran atès atesa vist
        vista donat donada respecte quasi gairebé aproximadament especialment actualment gran grans nova nous noves
        bon bona
        """,
    "es": """
        el la los las lo un una unos unas a al de del por para con sin sobre bajo entre desde hasta hacia contra
        durante según mediante ante tras antes después dentro fuera cerca lejos y e o u ni pero sino aunque que
        quien quienes qué quién cuál cual cuando cuándo cuanto cuánto cuántos cómo como donde dónde porque si sí no
        pues así también tampoco solo sólo ya aún todavía siempre nunca quizá quizás todo toda todos todas cada
        cualquier algún alguna algunos algunas otro otra otros otras ningún ninguna nadie nada mucho mucha muchos
        muchas poco poca pocos pocas más menos muy bastante este esta estos estas ese esa esos esas aquel aquella
        aquellos aquellas esto eso aquello aquí allí ahora hoy ayer mañana entonces luego finalmente primero primera
        segundo segunda tercero tercera tercer primer yo tú él ella nosotros nosotras vosotros ellos ellas nos os se
        me te le les su sus mi mis tu tus nuestro nuestra nuestros nuestras es son era eran ha han hemos había
        habían fue fueron será serán hay hubo hace dos tres cuatro cinco seis siete ocho nueve diez once doce veinte
        treinta cien mil ambos ambas mismo misma además incluso gracias respecto casi apenas especialmente
        actualmente gran grandes nuevo nueva nuevos nuevas buen buena salvo excepto en dado dada dados dadas visto
        vista
        """,
    "en": """
        the a an of in on at by for from with without about into onto over under between among through during before
        after since until till against towards toward upon within across along around behind beyond near per via and
        or nor but yet so if unless although though because while whereas when whenever where wherever who whom
        whose which what why how that this these those there here then now today yesterday tomorrow not no yes also
        too only just even still already always never often sometimes perhaps maybe all any each every either
        neither both some many much more most few fewer less several other others another such same own i you he she
        it we they me him us them my your his her its our their mine ours is are was were be been being am has have
        had having do does did done will would shall should can could may might must let one two three four five six
        seven eight nine ten eleven twelve twenty thirty hundred thousand first second third fourth next last
        finally however therefore thus hence moreover furthermore besides instead meanwhile otherwise according
        given following due despite except like unlike as than once twice very almost nearly whether nobody nothing
        everyone everything someone something new good please note see thanks again later earlier soon what's it's
        early late
        """,
}
ORDINARY: dict[str, frozenset[str]] = {language: listed(words) for language, words in _ORDINARY.items()}
ORDINARY_ANYWHERE = frozenset().union(*ORDINARY.values())

DAYS_AND_MONTHS = FULL_MONTHS | listed(
    """
    dilluns dimarts dimecres dijous divendres dissabte diumenge lunes martes miércoles jueves viernes sábado domingo
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn winter nadal navidad christmas
    easter pasqua pascua
    """
)

# Languages and nationalities: written with a capital in English, and by some also in Catalan and Spanish.
PEOPLES = listed(
    """
    english spanish catalan french german italian portuguese european europeans basque galician british scottish
    welsh irish dutch danish swedish norwegian finnish polish romanian greek russian ukrainian turkish arabic
    chinese japanese american americans african asian latin moroccan mediterranean roman iberian nordic baltic
    western eastern northern southern català catalana castellà castellana espanyol espanyola europeu europea anglès
    anglesa francès catalán español española europeo inglés inglesa francés castellano christian muslim internet web
    """
)

TITLES = listed(
    """
    sr sra srs sres srta dr dra drs dres mr mrs ms miss sir mister madam prof professor professora profesor
    profesora don doña en na director directora director-general coordinador coordinadora coordinator president
    presidenta presidente vicepresident vicepresidenta vicepresidente alcalde alcaldessa alcaldesa mayor rector
    rectora conseller consellera consejero consejera ministre ministra ministro minister secretari secretària
    secretario secretaria secretary regidor regidora concejal concejala tècnic tècnica técnico técnica investigador
    investigadora researcher responsable cap jefe jefa gerent gerente manager chair tutor tutora mossèn senyor
    senyora señor señora doctor doctora
    """
)

# What has a number or a name behind it in a report, and a capital with some writers: Project Tideline, Objectiu 1.
NUMBERED = listed(
    """
    projecte projectes proyecto proyectos project projects annex annexos annexes anexo anexos appendix table tables
    taula taules tabla tablas figure figures figura figuras gràfic gráfico chart image imatge imagen chapter capítol
    capítulo objectiu objectius objetivo objetivos objective objectives goal goals aim aims fase fases phase phases
    etapa stage activitat activitats actividad actividades activity activities acció accions acción acciones action
    actions paquet paquets paquete paquetes work package packages treball trabajo task tasks tasca tasques tarea
    tareas deliverable deliverables lliurable lliurables entregable entregables section sections secció secciones
    sección apartat apartats apartado apartados part parts parte milestone milestones fita fites hito hitos
    indicador indicadors indicadores indicator indicators resultat resultats resultado resultados result results
    outcome outcomes output outputs report reports memòria memoria informe informes page pàgina página article
    articles artículo lot lote partner partners soci socis socia socio socios beneficiary beneficiaries beneficiari
    beneficiaris beneficiario beneficiarios
    """
)

# What a writer of reports capitalises though it names nothing by itself.
GENERIC = NUMBERED | listed(
    """
    convocatòria convocatoria call bases conveni convenio agreement grant subvenció subvención ajut ayuda pressupost
    presupuesto budget cost costs coste costes total totals subtotal import importe amount amounts despesa despeses
    gasto gastos expenses expenditure any anys año años year years mes mesos meses month months date dates fecha
    fechas període periodo period termini plazo deadline estat estado status nom nombre name names code codi código
    description descripció descripción title títol título unit unitat unidad number número núm overview summary
    resum resumen introduction introducció introducción conclusions conclusion conclusió conclusiones background
    context contexto methodology metodologia metodología method methods evaluation avaluació evaluación monitoring
    seguiment seguimiento dissemination difusió difusión communication comunicació comunicación management gestió
    gestión plan pla plans planes risk risks risc riscos riesgo riesgos impact impacte impacto impactes team equip
    equipo committee comitè comité steering comissió comisión quality qualitat calidad document documents documento
    documentos note notes nota notas source font fuente version versió versión draft esborrany borrador final
    interim technical tècnica tècnic técnica técnico financial econòmica econòmic económica económico justificativa
    justificació justificación general específic específics específico específicos specific main principal expected
    baseline target targets meta metas inicial valor valors valores value values mean means verification verificació
    verificación workshop workshops training formació formación event events session sessions sessió sesión sesiones
    website lead leader líder entitat entidad entity organisation organització organización participants
    participantes personnel personal staff travel equipment other altres otros direct indirect directes indirectes
    directos indirectos funding finançament financiación reference referència referencia model llei ley law decret
    decreto decree ordre orden order resolució resolución resolution real reial step pas paso question pregunta
    option opció opción level nivell nivel ciutat ciudad country país state start end inici inicio fi fin yes no sí
    ok n/a semester semestre trimestre quarter term week setmana semana day dia día responsible responsable role rol
    tot tots strategy estratègia estrategia sustainability sostenibilitat sostenibilidad gender gènere género
    principles guidelines recommendation recommendations conference survey vol paper papers engagement outreach
    strategic vision sustainable requested contracte contractes contrato contratos contract contracts clàusula
    cláusula clause assegurança assegurances seguro seguros insurance proposta propuesta proposal sol·licitud
    solicitud application beneficiària beneficiaria party parties part certificat certificado certificate factura
    facturas factures invoice nòmina nómina justificant acta actes actas minutes protocol protocolo manual guia guía
    guide
    """
)

# Fields of work: they name something with an organisation's noun alone, as in "Department of Health".
TOPICS = listed(
    """
    research science sciences technology technologies innovation software data public open access environment
    climate change education health culture development community infrastructure recerca investigación investigació
    innovació innovación ciència ciencia tecnologia tecnología educació educación salut salud cultura
    desenvolupament desarrollo comunitat medi medio ambient ambiente sport economy economia economía treball trabajo
    work justice justícia justicia agriculture agricultura
    """
)

# Nouns that names of organisations begin with, in English also end with: a name with one of them holds together.
HEADS = listed(
    """
    fundació associació ajuntament universitat institut generalitat diputació consell departament ministeri
    conselleria agència centre escola hospital museu biblioteca cooperativa federació confederació col·legi cambra
    banc fons comissió unió xarxa grup programa consorci mancomunitat parlament govern direcció secretaria servei
    oficina facultat càtedra taula patronat ateneu teatre arxiu observatori laboratori coordinadora plataforma parc
    fundación asociación ayuntamiento universidad instituto diputación consejo departamento ministerio consejería
    agencia centro escuela museo federación confederación colegio cámara banco fondo comisión unión red grupo
    consorcio mancomunidad parlamento gobierno dirección secretaría servicio facultad cátedra patronato ateneo
    teatro archivo observatorio laboratorio junta xunta comunidad parque taller foundation association council
    university institute department ministry agency center school museum library cooperative federation college
    chamber bank fund commission union network group programme program consortium parliament government office
    faculty trust society board committee authority service services laboratory observatory charity guild club
    league alliance partnership company corporation academy house county district city town royal national carrer
    calle plaça plaza avinguda avenida street road square jornada jornades jornadas festa fiesta fira feria fair
    festival congrés congreso trobada encuentro aplec premi premio prize award obra societat sociedad gremi gremio
    lliga liga compañía companyia cluster circle studio endowment pla plan convocatòria convocatoria directiva
    directive lady saint sant santa san sierra serra vall valle valley
    """
)
# These, at the end of a name in English, are no part of it: "the Tideline project".
FOLLOWERS = listed("project projects report")

ABBREVIATIONS = listed(
    """
    dr dra drs sr sra srs srta sres mr mrs ms prof st sta sto av avda avgda pl pg ctra núm num nº n pàg pág pag p pp
    ex art arts vol ed eds cf vs fig tab tel telf etc ca aprox approx no jr sgt gral dept dpt dpto apt inc ltd co
    """
)
