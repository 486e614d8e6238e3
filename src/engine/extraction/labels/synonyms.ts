/**
 * Words that mean the same on forms, invoices, contracts, letters and CVs, in English, German and French: each line is
 * one meaning, named by its first word. Phrases stand in quotation marks of their own only by being joined with `_`.
 * All of it is general; nothing of it is tied to one maker of forms.
 */
const LINES = `
number no nr num # № n° nº numero numéro nummer id identifier nro
date datum
reference ref aktenzeichen zeichen référence
name names nom
email e-mail mail courriel mél e_mail
phone tel telephone telefon telefonnummer téléphone tél fon mobile cell handy mobil phone_number telephone_number
fax telefax télécopie
website web homepage home_page url webseite internet site_web www link web_site
address adresse anschrift addr
customer client buyer purchaser kunde kundin auftraggeber besteller bill_to billed_to sold_to invoice_to billing_to bill_to_name invoiced_to acheteur
supplier seller vendor provider lieferant verkäufer fournisseur vendeur
recipient consignee ship_to deliver_to shipped_to empfänger destinataire
sender absender expéditeur
invoice bill rechnung facture
issue issued dated issue_date date_of_issue issued_on
due payable fällig fälligkeit due_date due_by pay_by payable_by payment_due zahlbar zahlbar_bis échéance deadline due_on no_later_than bis_zum
total totals gesamt gesamtbetrag sum summe rechnungsbetrag endbetrag total_due amount_due total_amount_due total_amount_payable amount_payable total_payable grand_total invoice_total total_ttc total_amount gesamtsumme in_total
balance reste balance_due amount_outstanding reste_à_payer outstanding restbetrag
subtotal sub_total zwischensumme sous_total
net netto nettobetrag net_total total_ht net_amount subtotal_net montant_ht
amount betrag montant
tax vat gst sales_tax mwst mehrwertsteuer ust umsatzsteuer tva steuer
rate satz taux
discount rabatt remise
shipping freight versand versandkosten livraison delivery deliver delivered postage liefer lieferung
deposit kaution caution
prepayment acompte anzahlung down_payment
fee fees charge charges gebühr gebühren honorar honoraires
price preis prix
cost costs kosten coût expense expenses
salary wage remuneration compensation_package gehalt vergütung rémunération salaire gehaltsvorstellung gehaltswunsch lohn salary_expectation
rent miete loyer
start begin begins began beginning commence commences commencement commencing starts started effective beginn beginnt début starting eintritt eintrittstermin engaged available_from à_compter_du engagement_date
end ends ended finish finishes expire expires expired expiry expiration terminate terminates termination ende endet fin expiring until kündigung_zum
duration term laufzeit durée
notice kündigungsfrist préavis
birth born geburt geburtsdatum geboren né née naissance dob birthdate birthday date_of_birth geburtstag birth_date
sign signed signature unterschrift unterzeichnet fait signing
agreement contract vertrag contrat
employee salarié arbeitnehmer mitarbeiter employees
employer arbeitgeber employeur
tenant mieter locataire lessee
landlord vermieter bailleur lessor
nationality staatsangehörigkeit nationalité citizenship
marital familienstand marital_status
language languages sprache sprachen langues langue
skill skills kenntnisse fähigkeiten compétences
position job_title title post role stelle poste funktion
surname last_name family_name nachname familienname nom_de_famille
firstname first_name given_name vorname prénom forename
education ausbildung formation
experience berufserfahrung expérience
degree abschluss diplôme
grade note mark
quantity qty menge anzahl quantité qté count
maximum max highest up_to no_more_than not_exceed not_exceeding höchstens maximal cap limit
minimum min least lowest mindestens
purchase bought acquired kauf achat
order bestellung commande purchase_order po p_o auftrag
author prepared_by verfasser auteur written_by
publication published publish veröffentlicht publié
loss damage schaden perte
warranty guarantee garantie gewährleistung
location place ort lieu standort
city town stadt ville
country land pays
street straße strasse rue
company firm firma société organisation organization unternehmen
manager head leiter responsable
month months monat monate mois monthly monatlich mensuel mensuelle calendar_month
year years yr jahr jahre an ans annual annually yearly per_year per_annum jährlich annuel annuelle
day_count day days tag tage tagen jour jours täglich daily
week weeks woche wochen semaine semaines weekly
hour hours stunde stunden heure heures hourly
minute minutes minuten
late overdue verspätet retard
law laws recht droit governed_by governing_law
plus zzgl inkl incl abzgl excl including davon dont less
report reports bericht rapport
meeting meetings sitzung besprechung versammlung réunion assemblée
attendee attendees participant participants anwesend anwesende teilnehmer teilnehmende présents asistentes
next upcoming nächste nächster nächstes nächsten prochain prochaine próximo próxima
excess deductible selbstbeteiligung franchise
staff personnel
attachment attachments enclosure enclosures anlage anlagen pièces_jointes
licence license
permit allow allowed permitted allows erlaubt gestattet autorisé
`

/** The first word of each meaning by every word and phrase for it; phrases are joined with one space. */
export const MEANINGS: ReadonlyMap<string, string> = new Map(
  LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ')
      return words.map((word) => [word.replaceAll('_', ' '), words[0] ?? word] as const)
    }),
)

/** Words of the longest phrase above. */
export const LONGEST_PHRASE = 4

/** Meanings that exclude each other: a label with one is none with the other, however much else they share. */
const OPPOSITES = [
  'start end',
  'due issue birth publication',
  'total subtotal net balance prepayment',
  'total tax',
  'subtotal tax',
  'net tax',
  'customer supplier',
  'sender recipient',
  'landlord tenant',
  'employee employer',
  'maximum minimum',
  'surname firstname',
  'phone fax',
  'email phone',
  'birth start',
  'birth end',
  'due start',
  'sign birth',
  'sign due',
  'previous current',
  'first last',
  'deposit rent',
] as const

const OPPOSED: ReadonlySet<string> = new Set(
  OPPOSITES.flatMap((line) => {
    const words = line.split(' ')
    return words.flatMap((a) => words.filter((b) => a !== b).map((b) => `${a} ${b}`))
  }),
)

/** True for two meanings that exclude each other. */
export function areOpposed(one: string, other: string): boolean {
  return OPPOSED.has(`${one} ${other}`)
}
