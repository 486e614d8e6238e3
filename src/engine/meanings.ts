/**
 * Words that mean the same on forms, invoices, contracts, letters and CVs, in English, German, French and Spanish: each line is
 * one meaning, named by its first word. Phrases stand in quotation marks of their own only by being joined with `_`.
 * All of it is general; nothing of it is tied to one maker of forms.
 */
const LINES = `
number no nr num # № n° nº numero numéro nummer id identifier nro número
date datum fecha
reference ref aktenzeichen zeichen référence referencia
booking_reference booking_number booking_ref booking_no confirmation_number confirmation_no confirmation_code reservation_number buchungsnummer reservierungsnummer numéro_de_réservation número_de_reserva localizador
name names nom nombre_completo nombre_y_apellidos
email e-mail mail courriel mél e_mail correo correo_electrónico
phone tel telephone telefon telefonnummer téléphone tél fon mobile cell handy mobil phone_number telephone_number teléfono móvil
fax telefax télécopie
website web homepage home_page url webseite internet site_web www link web_site sitio_web página_web
address adresse anschrift addr dirección domicilio
customer client buyer purchaser kunde kundin auftraggeber besteller prepared_for bill_to billed_to sold_to invoice_to billing_to bill_to_name invoiced_to acheteur cliente comprador
supplier seller vendor provider lieferant verkäufer fournisseur vendeur proveedor vendedor
recipient consignee ship_to deliver_to shipped_to empfänger destinataire destinatario
sender absender expéditeur remitente
invoice bill rechnung facture factura
issue issued dated issue_date date_of_issue issued_on emisión expedición fecha_de_emisión ausgestellt ausstellung ausstellungsdatum délivré délivrée délivrance expedido
due payable fällig fälligkeit due_date due_by pay_by payable_by payment_due zahlbar zahlbar_bis échéance deadline due_on no_later_than bis_zum vencimiento vence
total totals gesamt gesamtbetrag sum summe rechnungsbetrag endbetrag bruttobetrag total_due amount_due total_amount_due total_amount_payable amount_payable total_payable grand_total invoice_total total_ttc total_amount gesamtsumme in_total total_a_pagar importe_total total_factura gesamtbetrag_brutto brutto_gesamtbetrag total_incl_vat total_including_vat gesamtbetrag_inkl_mwst
balance reste balance_due amount_outstanding reste_à_payer outstanding restbetrag saldo saldo_pendiente importe_pendiente account_balance bank_balance kontostand kassenstand solde_du_compte
subtotal sub_total zwischensumme sous_total base_imponible
net netto nettobetrag net_total total_ht net_amount subtotal_net montant_ht neto importe_neto
gross brutto brut brute bruto bruta
amount betrag montant monto
tax vat gst sales_tax mwst mehrwertsteuer ust umsatzsteuer tva steuer iva impuesto
rate satz taux tipo_impositivo tasa
discount rabatt remise descuento skonto escompte descuentos
shipping freight versand versandkosten livraison delivery deliver delivered postage liefer lieferung envío entrega
deposit kaution caution fianza
prepayment acompte anzahlung down_payment anticipo
fee fees charge charges gebühr gebühren honorar honoraires honorarios cuota
price preis prix precio
cost costs kosten coût expense expenses coste costo gasto gastos
salary wage remuneration compensation_package gehalt vergütung rémunération salaire gehaltsvorstellung gehaltswunsch lohn salary_expectation salario sueldo retribución remuneración
rent miete loyer renta alquiler
start begin begins began beginning commence commences commencement commencing starts started effective takes_effect prend_effet prenant_effet tritt_in_kraft entra_en_vigor beginn beginnt début starting eintrittstermin eintrittsdatum engaged available_from à_compter_du engagement_date inicio comienzo comienza comienzan
check_in check-in checkin arrival arrives anreise arrivée llegada
check_out check-out checkout departure departs abreise départ salida
end ends ended finish finishes expire expires expired expiry expiration terminate terminates termination ende endet ablauf fin expiring until kündigung_zum finalización finaliza terminación
duration term laufzeit durée duración plazo frist délai
paid bezahlt gezahlt payé payée payés payées pagado pagada
within innerhalb binnen
payment payments pay zahlung zahlungen paiement pago
period zeitraum période periodo
notice kündigungsfrist préavis preaviso
birth born geburt geburtsdatum geboren né née naissance dob birthdate birthday date_of_birth geburtstag birth_date nacimiento fecha_de_nacimiento
birthplace geburtsort place_of_birth lieu_de_naissance lugar_de_nacimiento
sign signed signature unterschrift unterzeichnet fait signing firmado
agreement contract vertrag contrat contrato
employee salarié arbeitnehmer mitarbeiter employees empleado empleada trabajador trabajadora
employer arbeitgeber employeur empleador empresario
tenant mieter locataire lessee arrendatario arrendataria inquilino inquilina
landlord vermieter bailleur lessor arrendador arrendadora
nationality staatsangehörigkeit nationalité citizenship nacionalidad
marital familienstand marital_status estado_civil
language languages sprache sprachen langues langue idioma idiomas
skill skills kenntnisse fähigkeiten compétences habilidades competencias
position job_title emploi title post role stelle poste funktion puesto
surname last_name family_name nachname familienname nom_de_famille apellido apellidos
firstname first_name given_name vorname prénom forename
education ausbildung formation formación
experience work_experience professional_experience employment_history work_history berufserfahrung beruflicher_werdegang expérience_professionnelle experiencia_laboral experiencia_profesional expérience experiencia
degree qualification abschluss diplôme titulación título
grade note mark
quantity qty menge anzahl quantité qté count cantidad
maximum max highest up_to no_more_than not_exceed not_exceeding höchstens maximal cap limit máximo
minimum min least lowest mindestens mínimo
item items article articles artikel produkt produkte product products produit produits producto productos artículo artículos line_items positionen
description beschreibung bezeichnung désignation descripción concepto conceptos
purchase bought acquired kauf achat compra
order bestell bestellung commande purchase_order po p_o auftrag pedido
quote quotation offer estimate angebot kostenvoranschlag offerte devis presupuesto oferta
insurer versicherer insurance_company assureur aseguradora
insurance versicherung assurance seguro
insured insured_person insured_persons versicherte versicherter versicherten versicherte_person
policyholder policy_holder versicherungsnehmer versicherungsnehmerin souscripteur assuré assurée tomador
policy police póliza versicherungsschein
author prepared_by verfasser auteur written_by autor autora
publication published publish veröffentlicht publié publicación
loss damage schaden perte daños
warranty guarantee garantie gewährleistung garantía
location place ort lieu standort lugar venue veranstaltungsort tagungsort
city town stadt ville ciudad
country land pays país
street straße strasse rue
company firm firma entreprise société organisation organization unternehmen empresa sociedad
manager head leiter responsable
month months monat monate mois monthly monatlich mensuel mensuelle calendar_month mes meses mensual
year years yr jahr jahre an ans annual annually yearly per_year per_annum jährlich annuel annuelle año años anual
day_count day days tag tage tagen jour jours täglich daily día días
week weeks woche wochen semaine semaines weekly semana semanas
hour hours stunde stunden heure heures hourly hora horas
minute minutes minuten minuto minutos
late overdue verspätet retard
law laws recht droit governed_by governing_law
plus zzgl inkl incl abzgl excl including davon dont less
report reports bericht rapport
meeting meetings sitzung besprechung versammlung réunion assemblée reunión
chair chairman chairwoman chairperson chaired_by vorsitz vorsitzender vorsitzende versammlungsleiter versammlungsleiterin versammlungsleitung sitzungsleitung sitzungsleiter
minute_taker minutes_taken_by minutes_by note_taker protokollführer protokollführerin protokollführung protokollant secrétaire_de_séance
action_items actions action_points to_do to_dos aufgaben tareas
attendee attendees present participant participants anwesend anwesende teilnehmer teilnehmende présents asistentes
next upcoming nächste nächster nächstes nächsten prochain prochaine próximo próxima
current derzeitig derzeitige derzeitiger derzeitiges aktuell aktuelle aktueller aktuelles gegenwärtig jetzige jetziger actuel actuelle
previous former frühere früherer vorherige vorheriger précédent précédente ancien anterior
excess deductible selbstbeteiligung franchise
absent absentees apologies abwesend entschuldigt absents excusé excusés ausente ausentes
detail details information info data general particulars angaben daten allgemeines détails informations données datos generales
university school college universität hochschule schule université école universidad escuela
staff personnel
attachment attachments enclosure enclosures anlage anlagen pièces_jointes
licence license
permit allow allowed permitted allows permits erlaubt gestattet zulässig autorisé autorisée autorisés autorisées permis permise permitido permitida permitidos permitidas permiten permite admite admiten admitido admitidos
prohibit prohibited prohibits forbidden banned verboten untersagt interdit interdite interdits interdites prohibido prohibida prohibidos prohibidas
include included includes inclusive enthalten enthält inbegriffen inklusive inclut inclus incluse comprend compris comprise comprises incluye incluyen incluido incluida incluidos incluidas
require required requires needed necessary mandatory compulsory erforderlich notwendig nötig benötigt requis requise nécessaire obligatoire requerido requerida necesario necesaria obligatorio obligatoria
cover covers covered gedeckt abgedeckt couvert couverts couvre cubre cubierto cubiertos
provide provided provides available entitled offered bereitgestellt verfügbar vorhanden fourni fournie fournis disponible disponibles ofrece
`

/** The first word of each meaning by every word and phrase for it; phrases are joined with one space. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ')
      return words.map((word) => [word.replaceAll('_', ' '), words[0] ?? word] as const)
    }),
)

/** Words of the longest phrase above. */
export const LONGEST_PHRASE = 4

/** Words that mean something else in another language, by ISO 639-1. */
export const OWN_SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  es: { nombre: 'name' },
  fr: { nombre: 'number' },
}
