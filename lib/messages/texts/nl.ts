/** What customers read, in Dutch. Customers are addressed as ‘je’; en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const nl: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Dit adres is niet voor clients. Gebruik het openbare adres van de dienst.',
  NOT_FOUND: 'Op dit adres is niets te vinden. Controleer het pad.',
  METHOD_NOT_ALLOWED: 'Dit adres accepteert andere methoden. Zie de header Allow.',
  PAYLOAD_TOO_LARGE: 'De inhoud van het verzoek is te groot.',
  UNSUPPORTED_MEDIA_TYPE: 'Stuur de inhoud als JSON, met Content-Type: application/json.',
  INVALID_JSON: 'De inhoud moet een JSON-object zijn.',
  TEMPORARILY_UNAVAILABLE:
    'De dienst kan op dit moment niet antwoorden. Er is niets verloren: probeer het opnieuw.',
  INTERNAL_ERROR:
    'Er is bij ons iets misgegaan. Vermeld het nummer van het verzoek (request id) als je het meldt.',
  MISSING_SHOP: 'Het veld "shop" is verplicht: het domein van de winkel.',
  MISSING_PARAMETERS: 'Een verplicht veld ontbreekt, is leeg, te lang of van het verkeerde type.',
  INVALID_SHOP: 'Het veld "shop" is niet het domein van een winkel.',
  INVALID_NONCE: 'Deze aanmelding is onbekend, verlopen of al gebruikt. Begin de aanmelding opnieuw.',
  SIGN_IN_REJECTED: 'Het platform heeft deze aanmelding niet geaccepteerd. Begin de aanmelding opnieuw.',
  SHOP_NOT_INSTALLED: 'De dienst is niet geïnstalleerd in deze winkel.',
  CLIENT_ID_NOT_CONFIGURED: 'Aanmelden voor klanten is niet ingesteld voor deze winkel.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'De winkel heeft geen Storefront-token voor apps. De winkel zelf kan meer vertellen.',
  INVALID_REFRESH_TOKEN: 'Het vernieuwingstoken is niet meer geldig. Meld je opnieuw aan.',
  TOKEN_NOT_FOUND: 'Voor deze klant is geen aanmelding opgeslagen. Meld je aan.',
  THROTTLED: 'Te veel verzoeken. Wacht zo lang als Retry-After aangeeft en probeer het opnieuw.',
  WRONG_STORE_DOMAIN:
    'Deze link is niet voor een winkel met dat domein. Typ het domein van de winkel waarvoor de link is gemaakt.',
  LINK_GONE: 'Deze link kan niet meer worden geopend. Vraag om een nieuwe.',
  UNAUTHENTICATED: 'Aanmelden vereist',
  INVALID_CUSTOMER_GID:
    'De header X-Platform-Customer-GID moet een klant-id zijn zoals gid://platform/Customer/123.',
  GRAPHQL_PARSE_FAILED: 'Het document is geen geldige GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'Het document past niet bij het schema.',
  FIELD_NOT_AVAILABLE: 'Dit veld is niet beschikbaar voor klantaccounts',
  QUERY_TOO_COMPLEX: 'De query is te complex.',
  KEY_SCOPE_MISSING: 'Deze sleutel mist een recht dat het verzoek nodig heeft.',
  FORBIDDEN: 'Dit is niet beschikbaar.',
  CUSTOMER_REQUIRED: 'Deze bewerking heeft de header X-Platform-Customer-GID nodig.',
  PLATFORM_UNAVAILABLE: 'Het winkelplatform antwoordt op dit moment niet. Probeer het opnieuw.',
  STORE_DISCONNECTED: 'De winkel heeft zijn toegang ingetrokken. De winkelier moet hem opnieuw verbinden.',
  STORE_ACCESS_MISSING: 'De winkel biedt dit op dit moment niet aan. De winkel zelf kan meer vertellen.',
  OUTCOME_UNKNOWN:
    'Het antwoord is verloren gegaan, de wijziging kan zijn gemaakt: kijk eerst voordat je het opnieuw probeert.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'Het eerste verzoek met deze sleutel is nog niet klaar, of nog niemand weet hoe het afliep. Vraag het opnieuw met dezelfde sleutel.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Deze sleutel is in de afgelopen 24 uur voor andere argumenten gebruikt. Geef elke wijziging een eigen sleutel.',
  NOT_RUN: 'Dit is niet uitgevoerd, omdat een bewerking ervoor niet is afgerond.',

  // The contract.
  contractUnknown: 'Dit abonnement bestaat niet.',
  contractEnded: 'Het abonnement is beëindigd.',
  contractPaused: 'Het abonnement is gepauzeerd.',
  contractChangedMeanwhile: 'Het abonnement is intussen door iemand anders gewijzigd. {detail}',
  readAndTryAgain: 'Laad het opnieuw en probeer het nog eens.',
  futureEdits:
    'Een komende bestelling is afzonderlijk gewijzigd. Wijzigingen van het abonnement wachten tot die wijziging weg is.',
  futureEditsOn:
    'Een komende bestelling is afzonderlijk gewijzigd: die van {day, date, long}. Wijzigingen van het abonnement wachten tot die wijziging weg is.',
  minimumNotReached:
    'Het abonnement kan pas na {minimum, plural, one {# bestelling} other {# bestellingen}} worden opgezegd; tot nu toe {made, plural, one {was het er #} other {waren het er #}}.',

  // What is sent.
  changeNotAccepted: 'De winkel heeft deze wijziging niet geaccepteerd. De winkel zelf kan meer vertellen.',
  partNotAccepted:
    'Dit is niet geaccepteerd: {part, select, STREET {de straat} CITY {de plaats} COMPANY {het bedrijf} COUNTRY {het land} NAME {de naam} PHONE {het telefoonnummer} PROVINCE {de staat of provincie} ZIP {de postcode} other {een gegeven}}. Controleer het en probeer het opnieuw.',
  valueNotTaken:
    'De winkel heeft een waarde van dit verzoek niet geaccepteerd. Zegt die waar een pagina begint, begin dan met de eerste pagina.',
  answerMissing: 'Dit deel van het antwoord ontbreekt: de winkel heeft het niet gegeven.',
  datePassed: 'De datum is voorbij. Kies een latere.',
  dateTooFar: 'De datum ligt meer dan een jaar vooruit. Kies een eerdere.',
  listTooLong: 'De lijst heeft meer dan {most, plural, one {# item} other {# items}}.',
  textTooLong: 'De tekst is langer dan {most, plural, one {# teken} other {# tekens}}.',

  // Orders.
  orderUnknown: 'Het abonnement heeft deze bestelling niet.',
  orderPlaced: 'Deze bestelling is al geplaatst: ze kan niet meer worden gewijzigd.',
  orderSkipMissing:
    'Geef aan of de bestelling wordt overgeslagen: true slaat ze over, false maakt dat ongedaan.',
  orderSkippedBeforeMove: 'De bestelling is overgeslagen: maak dat ongedaan voordat je ze verplaatst.',
  orderBeingBilled: 'Deze bestelling wordt op dit moment afgerekend: ze kan pas daarna worden gewijzigd.',
  orderTimeOver: 'De tijd van deze bestelling is voorbij: ze kan niet meer worden verplaatst.',
  orderMovableWithin:
    'De bestelling kan worden verplaatst naar een dag van {first, date, long} tot en met {last, date, long}, binnen haar eigen periode.',
  orderDateChanged:
    'De datum van deze bestelling is veranderd: ze staat nu op {day, date, long}. Kijk nog eens voordat je doorgaat.',
  orderDatePassed: 'De datum van deze bestelling is voorbij: ze blijft zoals ze is.',
  orderTooClose:
    'Binnen {hours, plural, one {# uur} other {# uur}} staat er een bestelling gepland, op {day, date, long}. Wijzig het interval daarna.',
  noOrderOnDate:
    'Op die datum kan geen bestelling vallen: die van die periode is betaald, of er liggen te veel bestellingen voor.',
  nextOrderTooFar:
    'De volgende bestelling is op {day, date, long}, en met dit interval zouden er te veel bestellingen voor liggen. Kies een langer interval.',
  editDatePassed: 'De datum is voorbij.',
  editNoOrderThatDay: 'Met het nieuwe interval valt er geen bestelling op die dag.',
  editNoOrderCovers: 'Met het nieuwe interval omvat geen bestelling die datum.',
  editPlaceTaken:
    'De bestelling van het nieuwe interval die deze datum omvat, heeft al een andere wijziging.',
  editRefused: 'De winkel heeft het niet geaccepteerd.',

  // Charging.
  billingCycleUnknown: 'Het abonnement heeft deze factureringsperiode niet.',
  billingCycleTooFarAhead: 'De bestelling ligt meer dan een jaar vooruit.',
  billingCycleBilled: 'De factureringsperiode is al afgerekend.',
  billingCycleSkipped: 'De factureringsperiode is overgeslagen.',
  billingFailedTooOften:
    'De afschrijving is {times, plural, one {# keer} other {# keer}} mislukt: deze bestelling wordt niet meer afgeschreven.',
  cycleIndexOrDate: 'Geef index of date op, niet allebei.',
  idempotencyKeyBlank: 'De idempotentiesleutel is leeg.',
  idempotencyKeyUsed:
    'Onder deze idempotentiesleutel is een andere bestelling afgeschreven. Geef elke afschrijving een eigen sleutel.',

  // Lines.
  lineUnknown: 'Het abonnement heeft deze regel niet.',
  lineTwice: 'Deze regel is twee keer genoemd.',
  lineLast: 'Een abonnement houdt ten minste één product.',
  linesFull: 'Het abonnement heeft zoveel regels als het kan hebben: haal er eerst een uit.',
  linesTooManyToRead:
    'Het abonnement heeft meer dan {limit, number} regels. Vraag de winkel om het te wijzigen.',
  goodsWithoutPrice: 'Na deze wijziging zou {product} niets kosten. Vraag de winkel om de wijziging te doen.',
  goodsWithoutPriceByCode:
    'Na deze wijziging zou {product} met de kortingscode niets kosten. Verwijder eerst de code of vraag de winkel.',
  lineLastPaid: 'Een abonnement houdt ten minste één product waarvoor wordt betaald.',
  linesNothingAsked: 'Er is geen wijziging opgegeven: geef add, update of remove op.',
  linesTooMany:
    'In één wijziging {most, plural, one {past niet meer dan # regel} other {passen niet meer dan # regels}}.',
  linesAndDiscountsTooMany:
    'In één wijziging passen niet meer dan {most, plural, one {# regel} other {# regels}} en kortingen die ermee vervallen: verwijder minder regels.',
  variantsTooMany:
    'In één wijziging {most, plural, one {past niet meer dan # nieuwe variant} other {passen niet meer dan # verschillende nieuwe varianten}}.',
  variantTwice: 'Deze variant is twee keer genoemd.',
  variantOnSubscription: 'Het abonnement heeft deze variant al: wijzig het aantal van de regel.',
  variantNotForSale: 'Deze variant is niet te koop bij dit abonnement.',
  variantNotUnderPlan: 'De variant wordt niet onder dit plan verkocht.',
  planDiffers: 'Het plan heeft een ander interval, andere dagen of andere grenzen dan het abonnement.',
  productGiven:
    'De winkel geeft dit product cadeau, of een deel van de prijs: alleen de winkel kan er meer of een ander product van maken. Voeg het toe om er meer van te kopen.',
  quantityRange: 'Mogelijk is een aantal van {least, number} tot en met {most, number}.',
  pricesInOtherCurrency:
    'Het abonnement is in {currency}, de prijzen van producten niet: alleen aantallen kunnen worden gewijzigd en regels verwijderd.',

  // The interval.
  intervalOrPlanMissing: 'Geef een interval, een verkoopplan of allebei op.',
  discountTiedToDate:
    'De bezorgingen zijn betaald tot {day, date, long}, en de winkel geeft bij elke bezorging een product of een korting. Kies een latere datum of laat de datum weg.',
  discountTiedToInterval:
    'De winkel geeft bij elke bezorging een product of een korting. Vraag de winkel om een korter interval.',
  intervalCountRange:
    'Het aantal van een interval in deze eenheid ligt tussen {least, number} en {most, number}: hoogstens drie jaar.',
  intervalNotOffered: 'Niet elk product van het abonnement wordt {rhythm} verkocht. {offered}',
  intervalsOffered: 'Aangeboden: {intervals}.',
  intervalsNone: 'Er wordt geen interval aangeboden voor allemaal samen.',
  offeredInterval: '‘{plan}’ ({rhythm})',
  planUnknown: 'Dit verkoopplan bestaat niet.',
  planMissing:
    'Een product van het abonnement heeft geen verkoopplan: alleen de winkel kan het interval wijzigen.',
  planDoesNotRepeat: 'Het verkoopplan herhaalt zich niet.',
  planBillsOtherwise: 'Het verkoopplan rekent {rhythm} af. Laat een van de twee weg.',
  planEnds: 'Het plan eindigt vanzelf. {offered}',
  planOfNoProduct: 'Geen enkel product van het abonnement wordt onder dit plan verkocht. {offered}',
  planNotForAll:
    'Niet elk product van het abonnement wordt onder de voorwaarden van dit plan verkocht. {offered}',
  plansSeveral: 'Er zijn meerdere plannen voor {rhythm}: {plans}. Noem er een als sellingPlanId.',
  quotedName: '‘{name}’',
  planUneven: 'Een betaling onder het verkoopplan is niet voor een heel aantal leveringen.',
  subscriptionUneven:
    'Een betaling van het abonnement is niet voor een heel aantal leveringen. Noem een verkoopplan.',
  paymentUneven: 'Een betaling zou niet voor een heel aantal leveringen zijn.',
  deliveriesUneven:
    'Eén betaling is voor {deliveries, plural, one {# levering} other {# leveringen}}, die niet gelijkmatig te verdelen zijn als er {rhythm} wordt besteld.',
  pricesInStoreCurrency:
    'Het abonnement is niet in de valuta van de winkel, waarin het plan zijn prijzen heeft.',
  priceUnknownUnderPlan:
    'De prijs van een product onder het plan ‘{plan}’ is niet te bepalen. Kies een ander.',
  priceUnknownAtInterval: 'De prijs van een product bij dit interval is niet te bepalen. Kies een ander.',
  anchorsDoNotFit: 'Deze vaste dagen passen niet als er {rhythm} wordt besteld: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {afrekening} other {levering}} op {day, select, 1 {maandag} 2 {dinsdag} 3 {woensdag} 4 {donderdag} 5 {vrijdag} 6 {zaterdag} 7 {zondag} other {een weekdag}}',
  anchorOnMonthday:
    '{policy, select, BILLING {afrekening} other {levering}} op dag {day, number} van de maand',
  anchorOnYearday:
    '{policy, select, BILLING {afrekening} other {levering}} op dag {day, number} van maand {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {elke dag} other {elke # dagen}}} WEEK {{count, plural, one {elke week} other {elke # weken}}} MONTH {{count, plural, one {elke maand} other {elke # maanden}}} YEAR {{count, plural, one {elk jaar} other {elke # jaar}}} other {in een ander ritme}}',
  rhythmWithDeliveries: '{rhythm} met {deliveries, plural, one {# levering} other {# leveringen}}',

  // Delivery.
  deliveryOneKind: 'Geef precies één op van shipping, localDelivery en pickupLocationId.',
  deliveryPhoneMissing: 'Voor lokale bezorging is een nummer nodig dat de bezorger kan bellen.',
  deliveryLocalOnly: 'Dit hoort alleen bij lokale bezorging.',
  deliveryCountryMissing: 'In het adres ontbreekt het land.',
  deliveryNotThere: 'De winkel bezorgt daar niet.',
  deliveryNotThisWay: 'De winkel bezorgt daar niet op deze manier.',
  deliverySeveralWays: 'Er zijn meerdere manieren van bezorging: {ways}. Kies er een met de code.',
  deliveryWayUnknown: 'Er is geen manier van bezorging met deze code. Er zijn: {ways}. Kies er een van.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency:
    'De winkel noemt de prijs van de bezorging in een andere valuta dan die van het abonnement.',
  deliveryWayGone:
    'De huidige manier van bezorging is er niet voor deze producten. Er zijn: {ways}. Kies er een van.',
  deliveryNotForGoods:
    'De winkel bezorgt deze producten niet op deze manier. Wijzig de aantallen, kies eerst een andere manier van bezorging of vraag de winkel.',
  deliveryMoreExpensive:
    'De winkel betaalt deze bezorging. Alleen de winkel kan een duurdere manier van bezorging kiezen.',
  deliveryPriceUnknown:
    'Dit zou de manier van bezorging of de prijs ervan wijzigen, en een betaling van dit abonnement is voor meerdere leveringen. Kies eerst een plan dat bij elke levering wordt betaald, of vraag de winkel.',
  pickupNeedsAddress: 'Wat kan worden afgehaald, hangt af van een adres, en er is er geen bekend.',
  pickupUnavailable: 'Afhalen kan hier niet worden gekozen. De winkel kan meer vertellen.',
  pickupNotGranted:
    'De winkel heeft deze dienst geen read_locations gegeven: zonder dat kan afhalen niet worden gekozen.',

  // Discounts and payment.
  discountUnknown: 'Het abonnement heeft deze korting niet.',
  codeMissing: 'Er is geen code opgegeven.',
  codeUnknown: 'Deze code bestaat niet.',
  codeNotActive: 'De code is op dit moment niet actief.',
  codeNotForCustomer: 'De code is niet voor dit klantaccount.',
  codeUsedByCustomer: 'De code is met dit klantaccount zo vaak gebruikt als mag.',
  codeUsedUp: 'De code is zo vaak gebruikt als mag.',
  codeAlreadyUsed:
    'Deze code is al voor dit abonnement gebruikt en daarna verwijderd. Alleen de winkel kan de code opnieuw toepassen.',
  codeNotForSubscriptions: 'De code is niet voor abonnementen.',
  codeNotForProducts: 'De code is voor geen van de producten van dit abonnement.',
  codeNotForDelivery: 'De code is niet voor deze manier van bezorging.',
  codeNotForAmount: 'De bestelling kost te weinig of te veel voor de code.',
  codeNotForCount: 'De bestelling heeft te weinig of te veel artikelen voor de code.',
  codeDoesNotApply: 'De code is niet van toepassing.',
  codesTried:
    'Te veel codes waren niet van toepassing. Probeer het over {minutes, plural, one {# minuut} other {# minuten}} opnieuw.',
  paymentMethodUnknown: 'Deze betaalmethode bestaat niet.',
  paymentMethodOfOther: 'De betaalmethode hoort niet bij het klantaccount van het abonnement.',
  paymentMethodRevoked: 'De betaalmethode is ingetrokken.',
  paymentEmailSent:
    'Kort geleden is er een e-mail over deze betaalmethode gestuurd. Probeer het over {minutes, plural, one {# minuut} other {# minuten}} opnieuw.',

  // Sign-ins.
  webhookEndpointUnknown: 'Dit eindpunt bestaat niet. Bekijk de lijst om de id’s te zien.',
  webhookDeliveryUnknown:
    'Deze gebeurtenis bestaat niet meer bij dit eindpunt. Bekijk de lijst van bezorgingen om de id’s te zien.',
  webhookEndpointsTooMany:
    'Een winkel heeft hoogstens {most, plural, one {# eindpunt} other {# eindpunten}}. Verwijder er eerst een.',
  webhookReplaysTooMany:
    'Er zijn te veel herhalingen in een uur gevraagd. Probeer het over {minutes, plural, one {# minuut} other {# minuten}} opnieuw.',
  webhookResendsTooMany:
    'Zo veel gebeurtenissen zijn vandaag een voor een gevraagd: {most, plural, one {#} other {#}}. Vraag in plaats daarvan een herhaling.',
  webhookTypesEmpty: 'Noem minstens één type, of laat de types weg: dan worden ze allemaal verzonden.',
  webhookSinceRange:
    'Wat in de laatste 30 dagen is gebeurd, kan opnieuw worden verzonden. Kies een moment daarin.',
  webhookChangedMeanwhile:
    'Het eindpunt is intussen door iemand anders gewijzigd. Lees het opnieuw en probeer het nog eens.',
  webhookTestedOften:
    'Er is zojuist een eindpunt getest. Probeer het opnieuw over {seconds, plural, one {# seconde} other {# seconden}}.',
  webhookUrlInvalid: 'Dit is geen URL. Geef een volledige op, bijvoorbeeld https://example.com/webhooks.',
  webhookUrlNotHttps:
    'Gebeurtenissen worden alleen via https verzonden. Geef een URL op die met https:// begint.',
  webhookUrlUser: 'De URL mag geen gebruiker of wachtwoord bevatten. De handtekening toont wie verzendt.',
  webhookUrlPort: 'Gebeurtenissen worden alleen naar poort 443 verzonden. Laat de poort weg.',
  webhookUrlNotPublic: 'Het adres is niet openbaar: er worden geen gebeurtenissen naartoe verzonden.',
  webhookUrlUnresolved: 'De naam in de URL leidt naar geen adres. Verbeter hem of probeer het later opnieuw.',
  sessionUnknown: 'Deze aanmelding bestaat niet. Bekijk de lijst om de id’s te zien.',
  sessionsNoOthers:
    'Alleen een aangemelde klant heeft andere. Beëindig elke aanmelding met customerSessionRevoke.',
  sessionReplaced: 'Dit toegangstoken is door een nieuw vervangen. Vraag het opnieuw met het nieuwe.',
  sessionsEndedOften:
    'Een aanmelding kan nieuwere drie keer per uur beëindigen. Over {minutes, plural, one {# minuut} other {# minuten}} kan het weer; een nieuwe aanmelding kan deze meteen beëindigen.',

  // Who acted, in the timeline.
  whoYou: 'Je hebt',
  whoCustomer: 'Een klant heeft',
  whoTheCustomer: 'De klant heeft',
  whoCustomerThrough: 'De klant heeft via <b>{key}</b>',
  whoStore: 'De winkel heeft',
  whoKey: '<b>{key}</b> heeft',
  whoService: 'De abonnementsdienst heeft',
  whoElsewhere: 'Iemand buiten deze dienst heeft',

  // What was done.
  billing_cycle_skipped: '{who} {order} overgeslagen.',
  billing_cycle_unskipped: '{who} {order} hersteld.',
  billing_cycle_rescheduled: '{who} {order} verplaatst.',
  billing_cycle_rescheduled_to: '{who} {order} verplaatst naar {day, date, long}.',
  billing_cycle_charged: '{who} {order} afgeschreven.',
  billing_cycle_declined: '{who} geprobeerd {order} af te schrijven, maar {why}.',
  billing_cycle_action_required:
    '{who} geprobeerd {order} af te schrijven, en de betaling moet worden bevestigd.',
  billing_cycle_edited: '{who} alleen {order} gewijzigd.',
  billing_cycle_edits_deleted: '{who} de wijzigingen van losse bestellingen ongedaan gemaakt.',
  billing_cycles_charged:
    '{who} een begin gemaakt met het afschrijven van de bestellingen van veel abonnementen.',
  subscription_created: '{who} het abonnement aangemaakt.',
  subscription_paused: '{who} het abonnement gepauzeerd.',
  subscription_paused_until: '{who} het abonnement gepauzeerd tot {day, date, long}.',
  subscription_resumed: '{who} het abonnement hervat.',
  subscription_resumed_on: '{who} het abonnement hervat, met de volgende bestelling op {day, date, long}.',
  subscription_cancelled: '{who} het abonnement opgezegd.',
  subscription_expired: '{who} het abonnement beëindigd.',
  subscription_failed: '{who} het abonnement als mislukt gemarkeerd.',
  subscription_updated: '{who} het abonnement gewijzigd.',
  subscription_lines_updated: '{who} de producten gewijzigd.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} gewijzigd hoe vaak er bestellingen komen.',
  subscription_interval_updated_to: '{who} gewijzigd hoe vaak er bestellingen komen: {rhythm}.',
  subscription_interval_updated_apart:
    '{who} gewijzigd hoe vaak er bestellingen komen: {delivered}, betaald {paid}.',
  subscription_next_billing_date_updated: '{who} de datum van de volgende bestelling bepaald.',
  subscription_next_billing_date_updated_to:
    '{who} de datum van de volgende bestelling op {day, date, long} gezet.',
  subscription_delivery_updated: '{who} de bezorging gewijzigd.',
  subscription_payment_method_updated: '{who} de betaalmethode gewijzigd.',
  payment_method_replaced: '{who} de gegevens van de betaalmethode gewijzigd.',
  payment_method_removed: '{who} de betaalmethode verwijderd.',
  subscription_discount_applied: '{who} een korting toegepast.',
  subscription_discount_applied_code: '{who} de kortingscode <b>{code}</b> toegepast.',
  subscription_discount_removed: '{who} een korting verwijderd.',
  subscription_note_updated: '{who} de notitie gewijzigd.',
  customer_address_updated:
    '{who} een adres in het adresboek gewijzigd; het abonnement houdt zijn eigen adres.',
  payment_method_update_email_sent: '{who} om een e-mail gevraagd om de betaalmethode bij te werken.',
  webhook_endpoint_disabled:
    '{who} het verzenden van gebeurtenissen naar een webhook-eindpunt gestopt: het nam ze niet aan.',
  somethingDone: '{who} een wijziging gemaakt ({action}).',
  outcomeUnknown: 'Het is niet bekend of dit is gelukt.',

  // Which order.
  orderOfDay: 'de bestelling van {day, date, long}',
  orderOfNumber: 'bestelling {number, number}',
  orderOfNobodyKnows: 'een bestelling',

  // What became of lines.
  linesAdded: '{products} toegevoegd',
  lineRemoved: '{product} verwijderd',
  lineSwapped: '{before} vervangen door {after}',
  lineQuantityChanged: 'het aantal van {product} gewijzigd van {before} in {after}',
  lineDiscountRemoved: 'de korting {title} verwijderd',
  lineSomeDiscountRemoved: 'een korting verwijderd',
  linesMore: 'nog {count, plural, one {# wijziging} other {# wijzigingen}} gemaakt',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'de betaling moet bij de bank worden bevestigd',
  declinedStock: 'iets eruit is niet op voorraad',
  declinedStore: 'de winkel moet ernaar kijken',
  declinedLater: 'de betaling is geweigerd; het kan later opnieuw worden geprobeerd',
  declinedMethod: 'de betaalmethode of het factuuradres ervan moet worden bijgewerkt',
  declinedOtherMethod: 'er is een andere betaalmethode nodig',
  declinedPaid: 'ze was al betaald',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {Het kost te veel.} TOO_MUCH_PRODUCT {Er is te veel van.} NOT_NEEDED {Het is niet meer nodig.} QUALITY {Het product is niet goed genoeg.} DELIVERY {De bezorging werkt niet.} MOVED {Verhuizing.} SWITCHED {Er wordt iets anders gekocht.} TEMPORARY {Alleen voor een tijdje.} other {}}',
};
