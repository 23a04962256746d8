/** What customers read, in German. Customers are addressed as „Sie“; en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const de: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Diese Adresse ist nicht für Clients. Verwenden Sie die öffentliche Adresse des Dienstes.',
  NOT_FOUND: 'Unter dieser Adresse gibt es nichts. Prüfen Sie den Pfad.',
  METHOD_NOT_ALLOWED: 'Diese Adresse nimmt andere Methoden an. Siehe den Header Allow.',
  PAYLOAD_TOO_LARGE: 'Der Inhalt der Anfrage ist zu groß.',
  UNSUPPORTED_MEDIA_TYPE: 'Senden Sie den Inhalt als JSON, mit Content-Type: application/json.',
  INVALID_JSON: 'Der Inhalt muss ein JSON-Objekt sein.',
  TEMPORARILY_UNAVAILABLE:
    'Der Dienst kann gerade nicht antworten. Es ist nichts verloren: Versuchen Sie es noch einmal.',
  INTERNAL_ERROR:
    'Bei uns ist etwas schiefgegangen. Nennen Sie die Anfragenummer (request id), wenn Sie es melden.',
  MISSING_SHOP: 'Das Feld "shop" fehlt: die Domain des Shops.',
  MISSING_PARAMETERS: 'Ein benötigtes Feld fehlt, ist leer, zu lang oder vom falschen Typ.',
  INVALID_SHOP: 'Das Feld "shop" ist keine Domain eines Shops.',
  INVALID_NONCE:
    'Diese Anmeldung ist unbekannt, abgelaufen oder schon verwendet. Beginnen Sie die Anmeldung von vorn.',
  SIGN_IN_REJECTED:
    'Die Plattform hat diese Anmeldung nicht angenommen. Beginnen Sie die Anmeldung von vorn.',
  SHOP_NOT_INSTALLED: 'Der Dienst ist in diesem Shop nicht installiert.',
  CLIENT_ID_NOT_CONFIGURED: 'Die Kundenanmeldung ist für diesen Shop nicht eingerichtet.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'Der Shop hat keinen Storefront-Token für Apps. Mehr kann der Shop selbst sagen.',
  INVALID_REFRESH_TOKEN: 'Der Refresh-Token ist nicht mehr gültig. Melden Sie sich neu an.',
  TOKEN_NOT_FOUND: 'Für diesen Kunden ist keine Anmeldung gespeichert. Melden Sie sich an.',
  THROTTLED:
    'Zu viele Anfragen. Warten Sie so lange, wie Retry-After angibt, und versuchen Sie es dann noch einmal.',
  WRONG_STORE_DOMAIN:
    'Dieser Link ist nicht für einen Shop mit dieser Domain. Geben Sie die Domain des Shops ein, für den der Link erstellt wurde.',
  LINK_GONE: 'Dieser Link kann nicht mehr geöffnet werden. Bitten Sie um einen neuen.',
  UNAUTHENTICATED: 'Anmeldung erforderlich',
  INVALID_CUSTOMER_GID:
    'Der Header X-Platform-Customer-GID muss eine Kunden-ID wie gid://platform/Customer/123 sein.',
  GRAPHQL_PARSE_FAILED: 'Das Dokument ist kein gültiges GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'Das Dokument passt nicht zum Schema.',
  FIELD_NOT_AVAILABLE: 'Dieses Feld steht Kundenkonten nicht zur Verfügung',
  QUERY_TOO_COMPLEX: 'Die Abfrage ist zu umfangreich.',
  KEY_SCOPE_MISSING: 'Diesem Schlüssel fehlt eine Berechtigung, die die Anfrage braucht.',
  FORBIDDEN: 'Das ist nicht verfügbar.',
  CUSTOMER_REQUIRED: 'Diese Operation braucht den Header X-Platform-Customer-GID.',
  PLATFORM_UNAVAILABLE: 'Die Shop-Plattform antwortet gerade nicht. Versuchen Sie es noch einmal.',
  STORE_DISCONNECTED: 'Der Shop hat seinen Zugang zurückgezogen. Der Händler muss ihn neu verbinden.',
  STORE_ACCESS_MISSING: 'Der Shop bietet das zurzeit nicht an. Mehr kann der Shop selbst sagen.',
  OUTCOME_UNKNOWN:
    'Die Antwort ging verloren, die Änderung kann gemacht sein: Sehen Sie nach, bevor Sie es noch einmal versuchen.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'Die erste Anfrage mit diesem Schlüssel ist noch nicht beendet, oder ihr Ausgang ist noch nicht bekannt. Fragen Sie mit demselben Schlüssel noch einmal.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Dieser Schlüssel wurde in den letzten 24 Stunden für andere Argumente verwendet. Geben Sie jeder Änderung einen eigenen Schlüssel.',
  NOT_RUN: 'Das wurde nicht ausgeführt, weil eine Operation davor nicht fertig wurde.',

  // The contract.
  contractUnknown: 'Dieses Abo gibt es nicht.',
  contractEnded: 'Das Abo ist beendet.',
  contractPaused: 'Das Abo ist pausiert.',
  contractChangedMeanwhile: 'Das Abo wurde inzwischen von jemand anderem geändert. {detail}',
  readAndTryAgain: 'Laden Sie es neu und versuchen Sie es noch einmal.',
  futureEdits:
    'Eine kommende Bestellung wurde einzeln geändert. Änderungen am Abo warten, bis diese Änderung weg ist.',
  futureEditsOn:
    'Eine kommende Bestellung wurde einzeln geändert: die vom {day, date, long}. Änderungen am Abo warten, bis diese Änderung weg ist.',
  minimumNotReached:
    'Das Abo kann erst nach {minimum, plural, one {# Bestellung} other {# Bestellungen}} gekündigt werden; bisher {made, plural, one {war es #} other {waren es #}}.',

  // What is sent.
  changeNotAccepted: 'Der Shop hat diese Änderung nicht angenommen. Mehr kann der Shop selbst sagen.',
  partNotAccepted:
    'Das wurde nicht angenommen: {part, select, STREET {die Straße} CITY {der Ort} COMPANY {die Firma} COUNTRY {das Land} NAME {der Name} PHONE {die Telefonnummer} PROVINCE {das Bundesland oder die Provinz} ZIP {die Postleitzahl} other {eine Angabe}}. Prüfen Sie die Angabe und versuchen Sie es noch einmal.',
  valueNotTaken:
    'Der Shop hat einen Wert dieser Anfrage nicht angenommen. Sagt er, wo eine Seite beginnt, beginnen Sie mit der ersten Seite.',
  answerMissing: 'Dieser Teil der Antwort fehlt: Der Shop hat ihn nicht geliefert.',
  datePassed: 'Das Datum ist vorbei. Wählen Sie ein späteres.',
  dateTooFar: 'Das Datum liegt mehr als ein Jahr in der Zukunft. Wählen Sie ein früheres.',
  listTooLong: 'Die Liste hat mehr als {most, plural, one {# Eintrag} other {# Einträge}}.',
  textTooLong: 'Der Text ist länger als {most, plural, one {# Zeichen} other {# Zeichen}}.',

  // Orders.
  orderUnknown: 'Das Abo hat diese Bestellung nicht.',
  orderPlaced: 'Diese Bestellung ist schon aufgegeben: Sie kann nicht mehr geändert werden.',
  orderSkipMissing:
    'Geben Sie an, ob die Bestellung übersprungen wird: true überspringt sie, false nimmt das zurück.',
  orderSkippedBeforeMove:
    'Die Bestellung ist übersprungen: Nehmen Sie das zurück, bevor Sie sie verschieben.',
  orderBeingBilled: 'Diese Bestellung wird gerade abgerechnet: Erst danach kann sie geändert werden.',
  orderTimeOver: 'Die Zeit dieser Bestellung ist vorbei: Sie kann nicht mehr verschoben werden.',
  orderMovableWithin:
    'Die Bestellung kann auf einen Tag vom {first, date, long} bis zum {last, date, long} verschoben werden, innerhalb ihres eigenen Zeitraums.',
  orderDateChanged:
    'Das Datum dieser Bestellung hat sich geändert: Sie ist am {day, date, long} fällig. Sehen Sie noch einmal nach, bevor Sie fortfahren.',
  orderDatePassed: 'Das Datum dieser Bestellung ist vorbei: Sie bleibt, wie sie ist.',
  orderTooClose:
    'In {hours, plural, one {der nächsten # Stunde} other {den nächsten # Stunden}} ist eine Bestellung fällig, am {day, date, long}. Ändern Sie das Intervall danach.',
  noOrderOnDate:
    'An diesem Datum kann keine Bestellung sein: Die dieser Zeit ist bezahlt, oder davor liegen zu viele Bestellungen.',
  nextOrderTooFar:
    'Die nächste Bestellung ist am {day, date, long}, und mit diesem Intervall lägen davor zu viele Bestellungen. Wählen Sie ein längeres Intervall.',
  editDatePassed: 'Das Datum ist vorbei.',
  editNoOrderThatDay: 'Mit dem neuen Intervall fällt keine Bestellung auf diesen Tag.',
  editNoOrderCovers: 'Mit dem neuen Intervall umfasst keine Bestellung dieses Datum.',
  editPlaceTaken:
    'Die Bestellung des neuen Intervalls, die dieses Datum umfasst, hat schon eine andere Änderung.',
  editRefused: 'Der Shop hat es nicht angenommen.',

  // Charging.
  billingCycleUnknown: 'Das Abo hat diesen Abrechnungszeitraum nicht.',
  billingCycleTooFarAhead: 'Die Bestellung liegt mehr als ein Jahr in der Zukunft.',
  billingCycleBilled: 'Der Abrechnungszeitraum ist schon abgerechnet.',
  billingCycleSkipped: 'Der Abrechnungszeitraum ist übersprungen.',
  billingFailedTooOften:
    'Die Abbuchung ist {times, plural, one {#-mal} other {#-mal}} fehlgeschlagen: Diese Bestellung wird nicht mehr abgebucht.',
  cycleIndexOrDate: 'Geben Sie entweder index oder date an, nicht beides.',
  idempotencyKeyBlank: 'Der Idempotenzschlüssel ist leer.',
  idempotencyKeyUsed:
    'Unter diesem Idempotenzschlüssel wurde eine andere Bestellung abgebucht. Geben Sie jeder Abbuchung einen eigenen Schlüssel.',

  // Lines.
  lineUnknown: 'Das Abo hat diese Position nicht.',
  lineTwice: 'Diese Position ist zweimal genannt.',
  lineLast: 'In einem Abo bleibt mindestens ein Produkt.',
  linesFull: 'Das Abo hat so viele Positionen, wie es haben kann: Nehmen Sie zuerst eine heraus.',
  linesTooManyToRead: 'Das Abo hat mehr als {limit, number} Positionen. Bitten Sie den Shop, es zu ändern.',
  goodsWithoutPrice:
    'Nach dieser Änderung würde {product} nichts kosten. Bitten Sie den Shop, sie vorzunehmen.',
  goodsWithoutPriceByCode:
    'Nach dieser Änderung würde {product} mit dem Rabattcode nichts kosten. Entfernen Sie zuerst den Code, oder fragen Sie den Shop.',
  lineLastPaid: 'In einem Abo bleibt mindestens ein Produkt, für das bezahlt wird.',
  linesNothingAsked: 'Es ist keine Änderung angegeben: Geben Sie add, update oder remove an.',
  linesTooMany:
    'In eine Änderung {most, plural, one {passt höchstens # Position} other {passen höchstens # Positionen}}.',
  linesAndDiscountsTooMany:
    'In eine Änderung passen höchstens {most, plural, one {# Position} other {# Positionen}} und Rabatte, die mit ihnen wegfallen: Entfernen Sie weniger Positionen.',
  variantsTooMany:
    'In eine Änderung {most, plural, one {passt höchstens # neue Variante} other {passen höchstens # verschiedene neue Varianten}}.',
  variantTwice: 'Diese Variante ist zweimal genannt.',
  variantOnSubscription: 'Das Abo hat diese Variante schon: Ändern Sie die Menge ihrer Position.',
  variantNotForSale: 'Diese Variante ist für dieses Abo nicht erhältlich.',
  variantNotUnderPlan: 'Die Variante wird zu diesem Plan nicht verkauft.',
  planDiffers: 'Der Plan hat ein anderes Intervall, andere Tage oder andere Grenzen als das Abo.',
  productGiven:
    'Der Shop schenkt dieses Produkt oder einen Teil seines Preises: Nur der Shop kann mehr davon oder ein anderes Produkt daraus machen. Um mehr davon zu kaufen, fügen Sie es hinzu.',
  quantityRange: 'Möglich ist eine Menge von {least, number} bis {most, number}.',
  pricesInOtherCurrency:
    'Das Abo wird in {currency} geführt, die Preise der Produkte nicht: Sie können nur Mengen ändern und Positionen entfernen.',

  // The interval.
  intervalOrPlanMissing: 'Geben Sie ein Intervall, einen Verkaufsplan oder beides an.',
  discountTiedToDate:
    'Lieferungen sind bis {day, date, long} bezahlt, und der Shop gibt mit jeder ein Produkt oder einen Rabatt. Wählen Sie ein späteres Datum, oder lassen Sie das Datum weg.',
  discountTiedToInterval:
    'Der Shop gibt mit jeder Lieferung ein Produkt oder einen Rabatt. Bitten Sie den Shop um ein kürzeres Intervall.',
  intervalCountRange:
    'Die Anzahl liegt bei einem Intervall in dieser Einheit zwischen {least, number} und {most, number}: höchstens drei Jahre.',
  intervalNotOffered: 'Nicht jedes Produkt des Abos wird {rhythm} verkauft. {offered}',
  intervalsOffered: 'Angeboten: {intervals}.',
  intervalsNone: 'Für alle zusammen wird kein Intervall angeboten.',
  offeredInterval: '„{plan}“ ({rhythm})',
  planUnknown: 'Diesen Verkaufsplan gibt es nicht.',
  planMissing: 'Ein Produkt des Abos hat keinen Verkaufsplan: Nur der Shop kann sein Intervall ändern.',
  planDoesNotRepeat: 'Der Verkaufsplan wiederholt sich nicht.',
  planBillsOtherwise: 'Mit dem Verkaufsplan wird {rhythm} abgerechnet. Lassen Sie eins von beiden weg.',
  planEnds: 'Der Plan endet von selbst. {offered}',
  planOfNoProduct: 'Kein Produkt des Abos wird zu diesem Plan verkauft. {offered}',
  planNotForAll: 'Nicht jedes Produkt des Abos wird zu den Bedingungen dieses Plans verkauft. {offered}',
  plansSeveral: 'Mehrere Pläne gelten {rhythm}: {plans}. Nennen Sie einen davon als sellingPlanId.',
  quotedName: '„{name}“',
  planUneven: 'Eine Zahlung im Verkaufsplan ist für keine ganze Zahl von Lieferungen.',
  subscriptionUneven:
    'Eine Zahlung des Abos ist für keine ganze Zahl von Lieferungen. Nennen Sie einen Verkaufsplan.',
  paymentUneven: 'Eine Zahlung wäre für keine ganze Zahl von Lieferungen.',
  deliveriesUneven:
    'Eine Zahlung ist für {deliveries, plural, one {# Lieferung} other {# Lieferungen}}, die sich nicht gleichmäßig verteilen lassen, wenn {rhythm} bestellt wird.',
  pricesInStoreCurrency:
    'Das Abo wird nicht in der Währung des Shops geführt, in der der Plan seine Preise hat.',
  priceUnknownUnderPlan:
    'Der Preis eines Produkts zum Plan „{plan}“ lässt sich nicht bestimmen. Wählen Sie einen anderen.',
  priceUnknownAtInterval:
    'Der Preis eines Produkts bei diesem Intervall lässt sich nicht bestimmen. Wählen Sie ein anderes.',
  anchorsDoNotFit: 'Diese festen Tage passen nicht, wenn {rhythm} bestellt wird: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {Zahlung} other {Lieferung}} am {day, select, 1 {Montag} 2 {Dienstag} 3 {Mittwoch} 4 {Donnerstag} 5 {Freitag} 6 {Samstag} 7 {Sonntag} other {Wochentag}}',
  anchorOnMonthday: '{policy, select, BILLING {Zahlung} other {Lieferung}} am {day, number}. Tag des Monats',
  anchorOnYearday:
    '{policy, select, BILLING {Zahlung} other {Lieferung}} am {day, number}. Tag des {month, number}. Monats',
  rhythm:
    '{interval, select, DAY {{count, plural, one {jeden Tag} other {alle # Tage}}} WEEK {{count, plural, one {jede Woche} other {alle # Wochen}}} MONTH {{count, plural, one {jeden Monat} other {alle # Monate}}} YEAR {{count, plural, one {jedes Jahr} other {alle # Jahre}}} other {in einem anderen Rhythmus}}',
  rhythmWithDeliveries: '{rhythm} mit {deliveries, plural, one {# Lieferung} other {# Lieferungen}}',

  // Delivery.
  deliveryOneKind: 'Geben Sie genau eins von shipping, localDelivery und pickupLocationId an.',
  deliveryPhoneMissing:
    'Für die lokale Lieferung wird eine Telefonnummer gebraucht, unter der der Fahrer anrufen kann.',
  deliveryLocalOnly: 'Das gehört nur zur lokalen Lieferung.',
  deliveryCountryMissing: 'Der Adresse fehlt das Land.',
  deliveryNotThere: 'Der Shop liefert nicht dorthin.',
  deliveryNotThisWay: 'Der Shop liefert auf diese Weise nicht dorthin.',
  deliverySeveralWays: 'Es gibt mehrere Arten der Lieferung: {ways}. Wählen Sie eine anhand ihres Codes.',
  deliveryWayUnknown:
    'Eine Art der Lieferung mit diesem Code gibt es nicht. Es gibt: {ways}. Wählen Sie eine davon.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency: 'Der Shop nennt den Preis der Lieferung in einer anderen Währung als das Abo.',
  deliveryWayGone:
    'Die jetzige Art der Lieferung gibt es für diese Produkte nicht. Es gibt: {ways}. Wählen Sie eine davon.',
  deliveryNotForGoods:
    'Der Shop liefert diese Produkte nicht auf diese Weise. Ändern Sie die Mengen, wählen Sie zuerst eine andere Art der Lieferung, oder fragen Sie den Shop.',
  deliveryMoreExpensive:
    'Der Shop übernimmt die Kosten dieser Lieferung. Eine teurere Art der Lieferung kann nur der Shop wählen.',
  deliveryPriceUnknown:
    'Das würde die Art der Lieferung oder ihren Preis ändern, und eine Zahlung dieses Abos ist für mehrere Lieferungen. Wählen Sie zuerst einen Plan, der mit jeder Lieferung bezahlt wird, oder fragen Sie den Shop.',
  pickupNeedsAddress: 'Was abgeholt werden kann, hängt von einer Adresse ab, und es ist keine hinterlegt.',
  pickupUnavailable: 'Eine Abholung kann hier nicht gewählt werden. Mehr kann der Shop sagen.',
  pickupNotGranted:
    'Der Shop hat diesem Dienst read_locations nicht gewährt: Ohne das kann keine Abholung gewählt werden.',

  // Discounts and payment.
  discountUnknown: 'Das Abo hat diesen Rabatt nicht.',
  codeMissing: 'Es ist kein Code angegeben.',
  codeUnknown: 'Diesen Code gibt es nicht.',
  codeNotActive: 'Der Code gilt zurzeit nicht.',
  codeNotForCustomer: 'Der Code ist nicht für dieses Kundenkonto.',
  codeUsedByCustomer: 'Der Code ist mit diesem Kundenkonto so oft verwendet worden, wie er erlaubt.',
  codeUsedUp: 'Der Code ist so oft verwendet worden, wie er erlaubt.',
  codeAlreadyUsed:
    'Dieser Code wurde für dieses Abo schon verwendet und dann entfernt. Nur der Shop kann ihn wieder anwenden.',
  codeNotForSubscriptions: 'Der Code ist nicht für Abos.',
  codeNotForProducts: 'Der Code ist für keins der Produkte dieses Abos.',
  codeNotForDelivery: 'Der Code ist nicht für diese Art der Lieferung.',
  codeNotForAmount: 'Die Bestellung kostet zu wenig oder zu viel für den Code.',
  codeNotForCount: 'Die Bestellung hat zu wenige oder zu viele Artikel für den Code.',
  codeDoesNotApply: 'Der Code gilt hier nicht.',
  codesTried:
    'Zu viele Codes haben nicht gegolten. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} noch einmal.',
  paymentMethodUnknown: 'Diese Zahlungsart gibt es nicht.',
  paymentMethodOfOther: 'Die Zahlungsart gehört nicht zum Kundenkonto dieses Abos.',
  paymentMethodRevoked: 'Die Zahlungsart wurde zurückgezogen.',
  paymentEmailSent:
    'Vor Kurzem wurde schon eine E-Mail zu dieser Zahlungsart gesendet. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} noch einmal.',

  // Sign-ins.
  webhookEndpointUnknown:
    'Diesen Endpunkt gibt es nicht. Rufen Sie die Liste der Endpunkte ab, um die IDs zu sehen.',
  webhookDeliveryUnknown:
    'Dieses Ereignis gibt es bei diesem Endpunkt nicht mehr. Rufen Sie die Liste der Zustellungen ab, um die IDs zu sehen.',
  webhookEndpointsTooMany:
    'Ein Shop hat höchstens {most, plural, one {# Endpunkt} other {# Endpunkte}}. Löschen Sie zuerst einen.',
  webhookReplaysTooMany:
    'Zu viele Wiederholungen wurden in einer Stunde angefordert. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} noch einmal.',
  webhookResendsTooMany:
    'So viele Ereignisse wurden heute einzeln angefordert: {most, plural, one {#} other {#}}. Fordern Sie stattdessen eine Wiederholung an.',
  webhookTypesEmpty:
    'Nennen Sie mindestens einen Typ, oder lassen Sie die Typen weg: dann werden alle gesendet.',
  webhookSinceRange:
    'Was in den letzten 30 Tagen geschah, kann noch einmal gesendet werden. Wählen Sie einen Zeitpunkt darin.',
  webhookChangedMeanwhile:
    'Der Endpunkt wurde inzwischen von jemand anderem geändert. Lesen Sie ihn neu und versuchen Sie es noch einmal.',
  webhookTestedOften:
    'Ein Endpunkt wurde eben erst getestet. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.',
  webhookUrlInvalid: 'Das ist keine URL. Geben Sie eine vollständige an, etwa https://example.com/webhooks.',
  webhookUrlNotHttps:
    'Ereignisse werden nur über https gesendet. Geben Sie eine URL an, die mit https:// beginnt.',
  webhookUrlUser: 'Die URL darf weder Benutzer noch Passwort enthalten. Die Signatur zeigt, wer sendet.',
  webhookUrlPort: 'Ereignisse werden nur an Port 443 gesendet. Lassen Sie den Port weg.',
  webhookUrlNotPublic: 'Die Adresse ist nicht öffentlich: Ereignisse werden nicht dorthin gesendet.',
  webhookUrlUnresolved:
    'Der Name in der URL führt zu keiner Adresse. Berichtigen Sie ihn, oder versuchen Sie es später noch einmal.',
  sessionUnknown: 'Diese Anmeldung gibt es nicht. Rufen Sie die Liste ab, um die IDs zu sehen.',
  sessionsNoOthers:
    'Nur wer angemeldet ist, hat andere Anmeldungen. Beenden Sie jede mit customerSessionRevoke.',
  sessionReplaced:
    'Dieser Zugriffstoken wurde durch einen neuen ersetzt. Fragen Sie mit dem neuen noch einmal.',
  sessionsEndedOften:
    'Eine Anmeldung kann neuere dreimal in einer Stunde beenden. In {minutes, plural, one {# Minute} other {# Minuten}} geht es wieder; eine neue Anmeldung kann diese sofort beenden.',

  // Who acted, in the timeline.
  whoYou: 'Sie haben',
  whoCustomer: 'Eine Kundin oder ein Kunde hat',
  whoTheCustomer: 'Die Kundin oder der Kunde hat',
  whoCustomerThrough: 'Die Kundin oder der Kunde hat über <b>{key}</b>',
  whoStore: 'Der Shop hat',
  whoKey: '<b>{key}</b> hat',
  whoService: 'Der Abo-Dienst hat',
  whoElsewhere: 'Jemand außerhalb dieses Dienstes hat',

  // What was done.
  billing_cycle_skipped: '{who} {order} übersprungen.',
  billing_cycle_unskipped: '{who} {order} wieder aufgenommen.',
  billing_cycle_rescheduled: '{who} {order} verschoben.',
  billing_cycle_rescheduled_to: '{who} {order} auf den {day, date, long} verschoben.',
  billing_cycle_charged: '{who} {order} abgebucht.',
  billing_cycle_declined: '{who} versucht, {order} abzubuchen, aber {why}.',
  billing_cycle_action_required: '{who} versucht, {order} abzubuchen, und die Zahlung muss bestätigt werden.',
  billing_cycle_edited: '{who} nur {order} geändert.',
  billing_cycle_edits_deleted: '{who} die Änderungen an einzelnen Bestellungen zurückgenommen.',
  billing_cycles_charged: '{who} begonnen, die Bestellungen vieler Abos abzubuchen.',
  subscription_created: '{who} das Abo angelegt.',
  subscription_paused: '{who} das Abo pausiert.',
  subscription_paused_until: '{who} das Abo bis zum {day, date, long} pausiert.',
  subscription_resumed: '{who} das Abo fortgesetzt.',
  subscription_resumed_on: '{who} das Abo fortgesetzt, mit der nächsten Bestellung am {day, date, long}.',
  subscription_cancelled: '{who} das Abo gekündigt.',
  subscription_expired: '{who} das Abo beendet.',
  subscription_failed: '{who} das Abo als fehlgeschlagen markiert.',
  subscription_updated: '{who} das Abo geändert.',
  subscription_lines_updated: '{who} die Produkte geändert.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} geändert, wie oft Bestellungen kommen.',
  subscription_interval_updated_to: '{who} geändert, wie oft Bestellungen kommen: {rhythm}.',
  subscription_interval_updated_apart:
    '{who} geändert, wie oft Bestellungen kommen: {delivered}, bezahlt {paid}.',
  subscription_next_billing_date_updated: '{who} das Datum der nächsten Bestellung festgelegt.',
  subscription_next_billing_date_updated_to:
    '{who} das Datum der nächsten Bestellung auf den {day, date, long} festgelegt.',
  subscription_delivery_updated: '{who} die Lieferung geändert.',
  subscription_payment_method_updated: '{who} die Zahlungsart geändert.',
  payment_method_replaced: '{who} die Angaben der Zahlungsart geändert.',
  payment_method_removed: '{who} die Zahlungsart entfernt.',
  subscription_discount_applied: '{who} einen Rabatt angewendet.',
  subscription_discount_applied_code: '{who} den Rabattcode <b>{code}</b> angewendet.',
  subscription_discount_removed: '{who} einen Rabatt entfernt.',
  subscription_note_updated: '{who} die Notiz geändert.',
  customer_address_updated: '{who} eine Adresse im Adressbuch geändert; das Abo behält seine eigene.',
  payment_method_update_email_sent: '{who} um eine E-Mail zum Ändern der Zahlungsart gebeten.',
  webhook_endpoint_disabled:
    '{who} das Senden von Ereignissen an einen Webhook-Endpunkt eingestellt: Er nahm sie nicht an.',
  somethingDone: '{who} eine Änderung gemacht ({action}).',
  outcomeUnknown: 'Es ist nicht bekannt, ob das wirksam wurde.',

  // Which order.
  orderOfDay: 'die Bestellung vom {day, date, long}',
  orderOfNumber: 'die Bestellung Nr. {number, number}',
  orderOfNobodyKnows: 'eine Bestellung',

  // What became of lines.
  linesAdded: '{products} hinzugefügt',
  lineRemoved: '{product} entfernt',
  lineSwapped: '{before} durch {after} ersetzt',
  lineQuantityChanged: 'die Menge von {product} von {before} auf {after} geändert',
  lineDiscountRemoved: 'den Rabatt {title} entfernt',
  lineSomeDiscountRemoved: 'einen Rabatt entfernt',
  linesMore: '{count, plural, one {# weitere Änderung} other {# weitere Änderungen}} gemacht',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'die Zahlung muss bei der Bank bestätigt werden',
  declinedStock: 'etwas daraus ist nicht vorrätig',
  declinedStore: 'der Shop muss es sich ansehen',
  declinedLater: 'die Zahlung wurde abgelehnt; sie kann später noch einmal versucht werden',
  declinedMethod: 'die Zahlungsart oder ihre Rechnungsadresse muss aktualisiert werden',
  declinedOtherMethod: 'eine andere Zahlungsart wird gebraucht',
  declinedPaid: 'die Bestellung war schon bezahlt',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {Es kostet zu viel.} TOO_MUCH_PRODUCT {Es ist zu viel davon da.} NOT_NEEDED {Es wird nicht mehr gebraucht.} QUALITY {Das Produkt ist nicht gut genug.} DELIVERY {Die Lieferung klappt nicht.} MOVED {Umzug.} SWITCHED {Es wird etwas anderes gekauft.} TEMPORARY {Nur für eine Weile.} other {}}',
};
