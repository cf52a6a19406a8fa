"""Places that are names wherever they stand: countries, and the regions, provinces and capitals that reports name."""

from pipeline.facts.words import listed

# One word each, without those that are also common words (Palma, Cuenca, Salt).
PLACES = listed(
    """
    espanya españa spain catalunya cataluña catalonia andorra portugal frança francia france itàlia italia italy
    alemanya alemania germany bèlgica bélgica belgium àustria austria suïssa suiza switzerland irlanda ireland escòcia
    escocia scotland anglaterra inglaterra england gal·les gales wales dinamarca denmark suècia suecia sweden noruega
    norway finlàndia finlandia finland islàndia islandia iceland polònia polonia poland txèquia chequia czechia
    eslovàquia eslovaquia slovakia eslovènia eslovenia slovenia croàcia croacia croatia hongria hungría hungary romania
    rumania rumanía bulgària bulgaria grècia grecia greece xipre chipre cyprus malta letònia letonia latvia lituània
    lituania lithuania estònia estonia ucraïna ucrania ukraine rússia rusia russia sèrbia serbia albània albania
    bòsnia bosnia kosovo turquia turquía marroc marruecos morocco algèria argelia algeria tunísia túnez tunisia egipte
    egipto egypt senegal mauritània mauritania nigèria nigeria ghana kenya kenia etiòpia etiopía ethiopia moçambic
    mozambique mèxic méxico mexico guatemala hondures honduras nicaragua panamà panamá panama cuba colòmbia colombia
    veneçuela venezuela equador ecuador perú peru bolívia bolivia xile chile argentina uruguai uruguay paraguai
    paraguay brasil brazil canadà canadá canada índia india pakistan pakistán bangladesh nepal japó japón japan síria
    siria syria líban líbano lebanon palestina palestine israel iran irán iraq austràlia australia europa europe àfrica
    áfrica africa àsia asia
    barcelona girona gerona lleida lérida tarragona madrid sevilla seville valència valencia alacant alicante castelló
    castellón múrcia murcia màlaga málaga granada córdoba jaén almería huelva cádiz badajoz cáceres toledo albacete
    guadalajara ávila segovia salamanca zamora valladolid burgos palencia soria zaragoza saragossa huesca osca teruel
    terol navarra pamplona logroño bilbao vitoria donostia álava guipúzcoa gipuzkoa bizkaia vizcaya euskadi santander
    cantabria asturias oviedo gijón galicia lugo ourense pontevedra vigo coruña extremadura andalucía andalusia aragón
    aragó canarias balears baleares mallorca menorca eivissa ibiza formentera tenerife lanzarote fuerteventura ceuta
    melilla badalona sabadell terrassa mataró manresa reus tortosa igualada figueres olot berga solsona granollers
    cerdanyola martorell vilafranca sitges cambrils amposta empordà maresme osona bages berguedà garrotxa ripollès
    cerdanya penedès garraf baix vallès anoia segrià urgell noguera pallars priorat montsià garrigues
    london londres paris parís berlin berlín roma rome brussel·les bruselas brussels lisboa lisbon dublin dublín viena
    vienna praga prague varsòvia varsovia warsaw budapest bucarest atenes atenas athens milà milán milan torí turin
    nàpols nápoles naples munic munich hamburg hamburgo frankfurt amsterdam ámsterdam rotterdam copenhagen copenhaguen
    estocolm estocolmo stockholm oslo helsinki edinburgh edimburg glasgow manchester liverpool leeds bristol oxford
    cambridge ginebra geneva zurich porto lyon marseille marsella montpeller toulouse tolosa perpinyà perpiñán
    """
)
