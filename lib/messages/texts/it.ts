/** What customers read, in Italian. Customers are addressed as «tu»; en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const it: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Questo indirizzo non è per i client. Usa l’indirizzo pubblico del servizio.',
  NOT_FOUND: 'A questo indirizzo non c’è nulla. Controlla il percorso.',
  METHOD_NOT_ALLOWED: 'Questo indirizzo accetta altri metodi. Vedi l’intestazione Allow.',
  PAYLOAD_TOO_LARGE: 'Il corpo della richiesta è troppo grande.',
  UNSUPPORTED_MEDIA_TYPE: 'Invia il corpo come JSON, con Content-Type: application/json.',
  INVALID_JSON: 'Il corpo deve essere un oggetto JSON.',
  TEMPORARILY_UNAVAILABLE: 'Il servizio al momento non può rispondere. Nulla è perso: riprova.',
  INTERNAL_ERROR:
    'Qualcosa è andato storto da parte nostra. Indica il numero della richiesta (request id) se lo segnali.',
  MISSING_SHOP: 'Manca il campo "shop": il dominio del negozio.',
  MISSING_PARAMETERS: 'Un campo obbligatorio manca, è vuoto, troppo lungo o del tipo sbagliato.',
  INVALID_SHOP: 'Il campo "shop" non è il dominio di un negozio.',
  INVALID_NONCE: 'Questo accesso è sconosciuto, scaduto o già usato. Ricomincia l’accesso.',
  SIGN_IN_REJECTED: 'La piattaforma non ha accettato questo accesso. Ricomincia l’accesso.',
  SHOP_NOT_INSTALLED: 'Il servizio non è installato in questo negozio.',
  CLIENT_ID_NOT_CONFIGURED: 'L’accesso dei clienti non è configurato per questo negozio.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'Il negozio non ha un token Storefront per le app. Il negozio stesso può dirti di più.',
  INVALID_REFRESH_TOKEN: 'Il token di rinnovo non è più valido. Accedi di nuovo.',
  TOKEN_NOT_FOUND: 'Per questo cliente non è salvato alcun accesso. Accedi.',
  THROTTLED: 'Troppe richieste. Attendi quanto indicato da Retry-After, poi riprova.',
  WRONG_STORE_DOMAIN:
    'Questo link non è per un negozio con quel dominio. Scrivi il dominio del negozio per cui il link è stato creato.',
  LINK_GONE: 'Questo link non si può più aprire. Chiedine uno nuovo.',
  UNAUTHENTICATED: 'Accesso richiesto',
  INVALID_CUSTOMER_GID:
    'L’intestazione X-Platform-Customer-GID deve essere un id cliente come gid://platform/Customer/123.',
  GRAPHQL_PARSE_FAILED: 'Il documento non è GraphQL valido.',
  GRAPHQL_VALIDATION_FAILED: 'Il documento non corrisponde allo schema.',
  FIELD_NOT_AVAILABLE: 'Questo campo non è disponibile per gli account cliente',
  QUERY_TOO_COMPLEX: 'La richiesta è troppo complessa.',
  KEY_SCOPE_MISSING: 'A questa chiave manca un’autorizzazione di cui la richiesta ha bisogno.',
  FORBIDDEN: 'Questo non è disponibile.',
  CUSTOMER_REQUIRED: 'Questa operazione richiede l’intestazione X-Platform-Customer-GID.',
  PLATFORM_UNAVAILABLE: 'La piattaforma del negozio al momento non risponde. Riprova.',
  STORE_DISCONNECTED: 'Il negozio ha ritirato il suo accesso. Il commerciante deve collegarlo di nuovo.',
  STORE_ACCESS_MISSING: 'Il negozio al momento non lo offre. Il negozio stesso può dirti di più.',
  OUTCOME_UNKNOWN:
    'La risposta è andata persa, la modifica potrebbe essere stata fatta: controlla prima di riprovare.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'La prima richiesta con questa chiave non è finita, o non si sa ancora come. Riprova con la stessa chiave.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Questa chiave è stata usata per altri argomenti nelle ultime 24 ore. Dai a ogni modifica una chiave propria.',
  NOT_RUN: 'Questo non è stato eseguito, perché un’operazione precedente non è terminata.',

  // The contract.
  contractUnknown: 'Questo abbonamento non esiste.',
  contractEnded: 'L’abbonamento è terminato.',
  contractPaused: 'L’abbonamento è in pausa.',
  contractChangedMeanwhile: 'Nel frattempo l’abbonamento è stato modificato da qualcun altro. {detail}',
  readAndTryAgain: 'Ricaricalo e riprova.',
  futureEdits:
    'Un ordine in arrivo è stato modificato singolarmente. Le modifiche dell’abbonamento attendono che quella sia rimossa.',
  futureEditsOn:
    'Un ordine in arrivo è stato modificato singolarmente: quello del {day, date, long}. Le modifiche dell’abbonamento attendono che quella sia rimossa.',
  minimumNotReached:
    'L’abbonamento richiede {minimum, plural, one {# ordine} other {# ordini}} prima di poter essere disdetto; finora {made, plural, one {ce n’è stato #} other {ce ne sono stati #}}.',

  // What is sent.
  changeNotAccepted: 'Il negozio non ha accettato questa modifica. Il negozio stesso può dirti di più.',
  partNotAccepted:
    'Questo non è stato accettato: {part, select, STREET {la via} CITY {la città} COMPANY {l’azienda} COUNTRY {il paese} NAME {il nome} PHONE {il numero di telefono} PROVINCE {lo stato o la provincia} ZIP {il codice postale} other {un dato}}. Controlla e riprova.',
  valueNotTaken:
    'Il negozio non ha accettato un valore di questa richiesta. Se indica dove comincia una pagina, comincia dalla prima pagina.',
  answerMissing: 'Manca questa parte della risposta: il negozio non l’ha fornita.',
  datePassed: 'La data è passata. Scegline una successiva.',
  dateTooFar: 'La data è oltre un anno da oggi. Scegline una più vicina.',
  listTooLong: 'L’elenco ha più di {most, plural, one {# voce} other {# voci}}.',
  textTooLong: 'Il testo supera {most, plural, one {# carattere} other {# caratteri}}.',

  // Orders.
  orderUnknown: 'L’abbonamento non ha questo ordine.',
  orderPlaced: 'Questo ordine è già stato effettuato: non si può più modificare.',
  orderSkipMissing: 'Indica se l’ordine va saltato: true lo salta, false lo annulla.',
  orderSkippedBeforeMove: 'L’ordine è saltato: annulla questo prima di spostarlo.',
  orderBeingBilled: 'Questo ordine è in fase di addebito: si potrà modificare solo dopo.',
  orderTimeOver: 'Il periodo di questo ordine è passato: non si può più spostare.',
  orderMovableWithin:
    'L’ordine si può spostare a un giorno nel periodo: {first, date, long} – {last, date, long}, entro il proprio ciclo.',
  orderDateChanged:
    'La data di questo ordine è cambiata: ora è {day, date, long}. Controllala prima di continuare.',
  orderDatePassed: 'La data di questo ordine è passata: resta com’è.',
  orderTooClose:
    'Un ordine è previsto entro {hours, plural, one {# ora} other {# ore}}, in data {day, date, long}. Cambia la frequenza dopo di esso.',
  noOrderOnDate:
    'In quella data non ci può essere un ordine: quello di quel periodo è pagato, o troppi ordini lo precedono.',
  nextOrderTooFar:
    'Il prossimo ordine è in data {day, date, long}, e con questa frequenza troppi ordini lo precederebbero. Scegli una frequenza minore.',
  editDatePassed: 'La data è passata.',
  editNoOrderThatDay: 'Con la nuova frequenza nessun ordine cade in quel giorno.',
  editNoOrderCovers: 'Con la nuova frequenza nessun ordine comprende quella data.',
  editPlaceTaken: 'L’ordine della nuova frequenza che comprende quella data ha già un’altra modifica.',
  editRefused: 'Il negozio non l’ha accettato.',

  // Charging.
  billingCycleUnknown: 'L’abbonamento non ha questo ciclo di fatturazione.',
  billingCycleTooFarAhead: 'L’ordine è oltre un anno da oggi.',
  billingCycleBilled: 'Il ciclo di fatturazione è già stato addebitato.',
  billingCycleSkipped: 'Il ciclo di fatturazione è saltato.',
  billingFailedTooOften:
    'L’addebito è fallito {times, plural, one {# volta} other {# volte}}: questo ordine non viene più addebitato.',
  cycleIndexOrDate: 'Indica index oppure date, non entrambi.',
  idempotencyKeyBlank: 'La chiave di idempotenza è vuota.',
  idempotencyKeyUsed:
    'Con questa chiave di idempotenza è stato addebitato un altro ordine. Dai a ogni addebito una chiave propria.',

  // Lines.
  lineUnknown: 'L’abbonamento non ha questa riga.',
  lineTwice: 'Questa riga è indicata due volte.',
  lineLast: 'Un abbonamento mantiene almeno un prodotto.',
  linesFull: 'L’abbonamento ha tutte le righe che può avere: togline prima una.',
  linesTooManyToRead: 'L’abbonamento ha più di {limit, number} righe. Chiedi al negozio di modificarlo.',
  goodsWithoutPrice: 'Dopo questa modifica {product} non costerebbe nulla. Chiedi al negozio di farla.',
  goodsWithoutPriceByCode:
    'Dopo questa modifica {product} non costerebbe nulla con il codice sconto. Rimuovi prima il codice o chiedi al negozio.',
  lineLastPaid: 'Un abbonamento mantiene almeno un prodotto a pagamento.',
  linesNothingAsked: 'Non è richiesto nulla: indica add, update o remove.',
  linesTooMany: 'In una modifica non ci stanno più di {most, plural, one {# riga} other {# righe}}.',
  linesAndDiscountsTooMany:
    'In una modifica non ci stanno più di {most, plural, one {# riga} other {# righe}} e sconti che se ne vanno con esse: rimuovi meno righe.',
  variantsTooMany:
    'In una modifica non ci stanno più di {most, plural, one {# nuova variante} other {# nuove varianti diverse}}.',
  variantTwice: 'Questa variante è indicata due volte.',
  variantOnSubscription: 'L’abbonamento ha già questa variante: cambia la quantità della sua riga.',
  variantNotForSale: 'Questa variante non è in vendita per questo abbonamento.',
  variantNotUnderPlan: 'La variante non è venduta con questo piano.',
  planDiffers: 'Il piano ha un’altra frequenza, altri giorni o altri limiti rispetto all’abbonamento.',
  productGiven:
    'Il negozio regala questo prodotto o parte del suo prezzo: solo il negozio può aumentarlo o sostituirlo. Per comprarne di più, aggiungilo.',
  quantityRange: 'Una quantità va da {least, number} a {most, number}.',
  pricesInOtherCurrency:
    'L’abbonamento è in {currency}, i prezzi dei prodotti no: si possono solo cambiare le quantità e rimuovere righe.',

  // The interval.
  intervalOrPlanMissing: 'Indica una frequenza, un piano di vendita o entrambi.',
  discountTiedToDate:
    'Le consegne sono pagate fino al {day, date, long} e il negozio dà un prodotto o uno sconto con ognuna. Scegli una data successiva o non indicare la data.',
  discountTiedToInterval:
    'Il negozio dà un prodotto o uno sconto con ogni consegna. Chiedi al negozio una frequenza maggiore.',
  intervalCountRange:
    'In questa unità il numero di una frequenza va da {least, number} a {most, number}: al massimo tre anni.',
  intervalNotOffered: 'Non tutti i prodotti dell’abbonamento sono venduti {rhythm}. {offered}',
  intervalsOffered: 'Offerte: {intervals}.',
  intervalsNone: 'Nessuna frequenza è offerta per tutti.',
  offeredInterval: '«{plan}» ({rhythm})',
  planUnknown: 'Questo piano di vendita non esiste.',
  planMissing:
    'Un prodotto dell’abbonamento non ha un piano di vendita: solo il negozio può cambiarne la frequenza.',
  planDoesNotRepeat: 'Il piano di vendita non si ripete.',
  planBillsOtherwise: 'Il piano di vendita addebita {rhythm}. Ometti uno dei due.',
  planEnds: 'Il piano finisce da solo. {offered}',
  planOfNoProduct: 'Nessun prodotto dell’abbonamento è venduto con questo piano. {offered}',
  planNotForAll:
    'Non tutti i prodotti dell’abbonamento sono venduti alle condizioni di questo piano. {offered}',
  plansSeveral: 'Ci sono più piani {rhythm}: {plans}. Indicane uno come sellingPlanId.',
  quotedName: '«{name}»',
  planUneven: 'Un pagamento del piano di vendita non corrisponde a un numero intero di consegne.',
  subscriptionUneven:
    'Un pagamento dell’abbonamento non corrisponde a un numero intero di consegne. Indica un piano di vendita.',
  paymentUneven: 'Un pagamento non corrisponderebbe a un numero intero di consegne.',
  deliveriesUneven:
    'Un pagamento copre {deliveries, plural, one {# consegna} other {# consegne}}, che non si possono distribuire in modo uniforme con un ordine {rhythm}.',
  pricesInStoreCurrency: 'L’abbonamento non è nella valuta del negozio, in cui il piano ha i suoi prezzi.',
  priceUnknownUnderPlan:
    'Il prezzo di un prodotto con il piano «{plan}» non si può determinare. Scegline un altro.',
  priceUnknownAtInterval:
    'Il prezzo di un prodotto con questa frequenza non si può determinare. Scegline un’altra.',
  anchorsDoNotFit: 'Questi giorni fissi non sono compatibili con un ordine {rhythm}: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {addebito} other {consegna}} di {day, select, 1 {lunedì} 2 {martedì} 3 {mercoledì} 4 {giovedì} 5 {venerdì} 6 {sabato} 7 {domenica} other {un giorno della settimana}}',
  anchorOnMonthday: '{policy, select, BILLING {addebito} other {consegna}} il giorno {day, number} del mese',
  anchorOnYearday:
    '{policy, select, BILLING {addebito} other {consegna}} il giorno {day, number} del mese {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {ogni giorno} other {ogni # giorni}}} WEEK {{count, plural, one {ogni settimana} other {ogni # settimane}}} MONTH {{count, plural, one {ogni mese} other {ogni # mesi}}} YEAR {{count, plural, one {ogni anno} other {ogni # anni}}} other {con un altro ritmo}}',
  rhythmWithDeliveries: '{rhythm} con {deliveries, plural, one {# consegna} other {# consegne}}',

  // Delivery.
  deliveryOneKind: 'Indica esattamente uno tra shipping, localDelivery e pickupLocationId.',
  deliveryPhoneMissing: 'La consegna locale richiede un numero che il corriere possa chiamare.',
  deliveryLocalOnly: 'Questo riguarda solo la consegna locale.',
  deliveryCountryMissing: 'All’indirizzo manca il paese.',
  deliveryNotThere: 'Il negozio non consegna lì.',
  deliveryNotThisWay: 'Il negozio non consegna lì in questo modo.',
  deliverySeveralWays: 'Ci sono più modalità di consegna: {ways}. Scegline una con il suo codice.',
  deliveryWayUnknown: 'Non c’è una modalità di consegna con questo codice. Ci sono: {ways}. Scegline una.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency:
    'Il negozio indica il prezzo della consegna in una valuta diversa da quella dell’abbonamento.',
  deliveryWayGone:
    'La modalità di consegna attuale non è offerta per questi prodotti. Ci sono: {ways}. Scegline una.',
  deliveryNotForGoods:
    'Il negozio non consegna questi prodotti in questo modo. Cambia le quantità, scegli prima un’altra modalità di consegna o chiedi al negozio.',
  deliveryMoreExpensive:
    'Il negozio offre questa consegna. Solo il negozio può scegliere una modalità di consegna più costosa.',
  deliveryPriceUnknown:
    'Questo cambierebbe la modalità di consegna o il suo prezzo, e un pagamento di questo abbonamento copre più consegne. Scegli prima un piano che si paga a ogni consegna o chiedi al negozio.',
  pickupNeedsAddress: 'Ciò che si può ritirare dipende da un indirizzo, e non ne è salvato nessuno.',
  pickupUnavailable: 'Qui non si può scegliere un ritiro. Il negozio può dirti di più.',
  pickupNotGranted:
    'Il negozio non ha concesso read_locations a questo servizio: senza non si può scegliere un ritiro.',

  // Discounts and payment.
  discountUnknown: 'L’abbonamento non ha questo sconto.',
  codeMissing: 'Non è indicato alcun codice.',
  codeUnknown: 'Questo codice non esiste.',
  codeNotActive: 'Il codice al momento non è attivo.',
  codeNotForCustomer: 'Il codice non è per questo account cliente.',
  codeUsedByCustomer: 'Con questo account cliente il codice è stato usato tutte le volte consentite.',
  codeUsedUp: 'Il codice è stato usato tutte le volte consentite.',
  codeAlreadyUsed:
    'Questo codice è già stato usato per questo abbonamento e poi rimosso. Solo il negozio può applicarlo di nuovo.',
  codeNotForSubscriptions: 'Il codice non vale per gli abbonamenti.',
  codeNotForProducts: 'Il codice non vale per nessuno dei prodotti di questo abbonamento.',
  codeNotForDelivery: 'Il codice non vale per questa modalità di consegna.',
  codeNotForAmount: 'L’importo dell’ordine è troppo basso o troppo alto per il codice.',
  codeNotForCount: 'L’ordine ha troppo pochi o troppi articoli per il codice.',
  codeDoesNotApply: 'Il codice non si può applicare.',
  codesTried:
    'Troppi codici non si sono potuti applicare. Riprova tra {minutes, plural, one {# minuto} other {# minuti}}.',
  paymentMethodUnknown: 'Questo metodo di pagamento non esiste.',
  paymentMethodOfOther: 'Il metodo di pagamento non è dell’account cliente dell’abbonamento.',
  paymentMethodRevoked: 'Il metodo di pagamento è stato revocato.',
  paymentEmailSent:
    'Poco fa è stata inviata un’e-mail su questo metodo di pagamento. Riprova tra {minutes, plural, one {# minuto} other {# minuti}}.',

  // Sign-ins.
  webhookEndpointUnknown: 'Questo endpoint non esiste. Consulta l’elenco per vedere gli id.',
  webhookDeliveryUnknown:
    'Questo evento non esiste più per questo endpoint. Consulta l’elenco delle consegne per vedere gli id.',
  webhookEndpointsTooMany:
    'Un negozio ha al massimo {most, plural, one {# endpoint} other {# endpoint}}. Eliminane prima uno.',
  webhookReplaysTooMany:
    'Sono state richieste troppe ripetizioni in un’ora. Riprova tra {minutes, plural, one {# minuto} other {# minuti}}.',
  webhookResendsTooMany:
    'Oggi sono già stati richiesti così tanti eventi uno per uno: {most, plural, one {#} other {#}}. Richiedi invece una ripetizione.',
  webhookTypesEmpty: 'Indica almeno un tipo oppure ometti i tipi: in tal caso vengono inviati tutti.',
  webhookSinceRange:
    'Ciò che è successo negli ultimi 30 giorni può essere inviato di nuovo. Scegli un momento di questo periodo.',
  webhookChangedMeanwhile:
    'Nel frattempo l’endpoint è stato modificato da qualcun altro. Rileggilo e riprova.',
  webhookTestedOften:
    'Un endpoint è stato appena testato. Riprova tra {seconds, plural, one {# secondo} other {# secondi}}.',
  webhookUrlInvalid: 'Questo non è un URL. Indicane uno completo, per esempio https://example.com/webhooks.',
  webhookUrlNotHttps: 'Gli eventi vengono inviati solo tramite https. Indica un URL che inizi con https://.',
  webhookUrlUser: 'L’URL non può contenere utente o password. La firma mostra chi invia.',
  webhookUrlPort: 'Gli eventi vengono inviati solo alla porta 443. Ometti la porta.',
  webhookUrlNotPublic: 'L’indirizzo non è pubblico: non vi vengono inviati eventi.',
  webhookUrlUnresolved: 'Il nome nell’URL non porta a nessun indirizzo. Correggilo o riprova più tardi.',
  sessionUnknown: 'Questo accesso non esiste. Consulta l’elenco per vedere gli id.',
  sessionsNoOthers:
    'Solo un cliente che ha effettuato l’accesso ne ha altri. Termina ogni accesso con customerSessionRevoke.',
  sessionReplaced: 'Questo token di accesso è stato sostituito da uno nuovo. Riprova con quello nuovo.',
  sessionsEndedOften:
    'Un accesso può terminarne di più recenti tre volte in un’ora. Potrà di nuovo tra {minutes, plural, one {# minuto} other {# minuti}}; un nuovo accesso può terminare questo subito.',

  // Who acted, in the timeline.
  whoYou: 'Hai',
  whoCustomer: 'Un cliente ha',
  whoTheCustomer: 'Il cliente ha',
  whoCustomerThrough: 'Il cliente, tramite <b>{key}</b>, ha',
  whoStore: 'Il negozio ha',
  whoKey: '<b>{key}</b> ha',
  whoService: 'Il servizio abbonamenti ha',
  whoElsewhere: 'Qualcuno al di fuori di questo servizio ha',

  // What was done.
  billing_cycle_skipped: '{who} saltato {order}.',
  billing_cycle_unskipped: '{who} ripristinato {order}.',
  billing_cycle_rescheduled: '{who} spostato {order}.',
  billing_cycle_rescheduled_to: '{who} spostato {order} a questa data: {day, date, long}.',
  billing_cycle_charged: '{who} addebitato {order}.',
  billing_cycle_declined: '{who} provato ad addebitare {order}, ma {why}.',
  billing_cycle_action_required:
    '{who} provato ad addebitare {order}, e il pagamento deve essere confermato.',
  billing_cycle_edited: '{who} modificato solo {order}.',
  billing_cycle_edits_deleted: '{who} annullato le modifiche a singoli ordini.',
  billing_cycles_charged: '{who} iniziato ad addebitare gli ordini di molti abbonamenti.',
  subscription_created: '{who} creato l’abbonamento.',
  subscription_paused: '{who} messo in pausa l’abbonamento.',
  subscription_paused_until: '{who} messo in pausa l’abbonamento fino a questa data: {day, date, long}.',
  subscription_resumed: '{who} ripreso l’abbonamento.',
  subscription_resumed_on: '{who} ripreso l’abbonamento; data del prossimo ordine: {day, date, long}.',
  subscription_cancelled: '{who} disdetto l’abbonamento.',
  subscription_expired: '{who} concluso l’abbonamento.',
  subscription_failed: '{who} contrassegnato l’abbonamento come non riuscito.',
  subscription_updated: '{who} modificato l’abbonamento.',
  subscription_lines_updated: '{who} modificato i prodotti.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} cambiato la frequenza degli ordini.',
  subscription_interval_updated_to: '{who} cambiato la frequenza degli ordini: {rhythm}.',
  subscription_interval_updated_apart:
    '{who} cambiato la frequenza degli ordini: {delivered}, con pagamento {paid}.',
  subscription_next_billing_date_updated: '{who} fissato la data del prossimo ordine.',
  subscription_next_billing_date_updated_to: '{who} fissato la data del prossimo ordine: {day, date, long}.',
  subscription_delivery_updated: '{who} modificato la consegna.',
  subscription_payment_method_updated: '{who} cambiato il metodo di pagamento.',
  payment_method_replaced: '{who} cambiato i dati del metodo di pagamento.',
  payment_method_removed: '{who} rimosso il metodo di pagamento.',
  subscription_discount_applied: '{who} applicato uno sconto.',
  subscription_discount_applied_code: '{who} applicato il codice sconto <b>{code}</b>.',
  subscription_discount_removed: '{who} rimosso uno sconto.',
  subscription_note_updated: '{who} modificato la nota.',
  customer_address_updated: '{who} modificato un indirizzo della rubrica; l’abbonamento mantiene il proprio.',
  payment_method_update_email_sent: '{who} chiesto un’e-mail per aggiornare il metodo di pagamento.',
  webhook_endpoint_disabled: '{who} smesso di inviare eventi a un endpoint webhook: non li accettava.',
  somethingDone: '{who} fatto una modifica ({action}).',
  outcomeUnknown: 'Non si sa se questo abbia avuto effetto.',

  // Which order.
  orderOfDay: 'l’ordine in data {day, date, long}',
  orderOfNumber: 'l’ordine n. {number, number}',
  orderOfNobodyKnows: 'un ordine',

  // What became of lines.
  linesAdded: 'aggiunto {products}',
  lineRemoved: 'rimosso {product}',
  lineSwapped: 'sostituito {before} con {after}',
  lineQuantityChanged: 'cambiato la quantità di {product} da {before} a {after}',
  lineDiscountRemoved: 'rimosso lo sconto {title}',
  lineSomeDiscountRemoved: 'rimosso uno sconto',
  linesMore: 'fatto {count, plural, one {# altra modifica} other {altre # modifiche}}',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'il pagamento deve essere confermato con la banca',
  declinedStock: 'qualcosa al suo interno è esaurito',
  declinedStore: 'il negozio deve verificare',
  declinedLater: 'il pagamento è stato rifiutato; si può riprovare più tardi',
  declinedMethod: 'il metodo di pagamento o il suo indirizzo di fatturazione deve essere aggiornato',
  declinedOtherMethod: 'serve un altro metodo di pagamento',
  declinedPaid: 'era già stato pagato',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {Costa troppo.} TOO_MUCH_PRODUCT {Ce n’è troppo.} NOT_NEEDED {Non serve più.} QUALITY {Il prodotto non è abbastanza buono.} DELIVERY {La consegna non funziona.} MOVED {Trasloco.} SWITCHED {Si compra altro.} TEMPORARY {Solo per un po’.} other {}}',
};
