/**
 * What customers read, in French. Customers are addressed as « vous »; en.ts says how the texts are read. The spaces before
 * two-part punctuation and inside quotes do not break a line.
 */
import type { Texts } from './texts.ts';

export const fr: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Cette adresse n’est pas destinée aux clients. Utilisez l’adresse publique du service.',
  NOT_FOUND: 'Il n’y a rien à cette adresse. Vérifiez le chemin.',
  METHOD_NOT_ALLOWED: 'Cette adresse accepte d’autres méthodes. Voir l’en-tête Allow.',
  PAYLOAD_TOO_LARGE: 'Le corps de la requête est trop volumineux.',
  UNSUPPORTED_MEDIA_TYPE: 'Envoyez le corps en JSON, avec Content-Type: application/json.',
  INVALID_JSON: 'Le corps doit être un objet JSON.',
  TEMPORARILY_UNAVAILABLE: 'Le service ne peut pas répondre pour le moment. Rien n’est perdu : réessayez.',
  INTERNAL_ERROR:
    'Un problème est survenu de notre côté. Indiquez le numéro de la requête (request id) si vous le signalez.',
  MISSING_SHOP: 'Le champ "shop" est obligatoire : le domaine de la boutique.',
  MISSING_PARAMETERS: 'Un champ obligatoire est absent, vide, trop long ou du mauvais type.',
  INVALID_SHOP: 'Le champ "shop" n’est pas le domaine d’une boutique.',
  INVALID_NONCE: 'Cette connexion est inconnue, expirée ou déjà utilisée. Recommencez la connexion.',
  SIGN_IN_REJECTED: 'La plateforme n’a pas accepté cette connexion. Recommencez la connexion.',
  SHOP_NOT_INSTALLED: 'Le service n’est pas installé sur cette boutique.',
  CLIENT_ID_NOT_CONFIGURED: 'La connexion des clients n’est pas configurée pour cette boutique.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'La boutique n’a pas de jeton Storefront pour les applications. La boutique peut en dire plus.',
  INVALID_REFRESH_TOKEN: 'Le jeton d’actualisation n’est plus valable. Reconnectez-vous.',
  TOKEN_NOT_FOUND: 'Aucune connexion n’est enregistrée pour ce client. Connectez-vous.',
  THROTTLED: 'Trop de requêtes. Attendez le délai indiqué par Retry-After, puis réessayez.',
  WRONG_STORE_DOMAIN:
    'Ce lien n’est pas destiné à une boutique de ce domaine. Saisissez le domaine de la boutique pour laquelle le lien a été créé.',
  LINK_GONE: 'Ce lien ne peut plus être ouvert. Demandez-en un nouveau.',
  UNAUTHENTICATED: 'Connexion requise',
  INVALID_CUSTOMER_GID:
    'L’en-tête X-Platform-Customer-GID doit être un identifiant de client tel que gid://platform/Customer/123.',
  GRAPHQL_PARSE_FAILED: 'Le document n’est pas du GraphQL valide.',
  GRAPHQL_VALIDATION_FAILED: 'Le document ne correspond pas au schéma.',
  FIELD_NOT_AVAILABLE: 'Ce champ n’est pas accessible aux comptes clients',
  QUERY_TOO_COMPLEX: 'La requête est trop complexe.',
  KEY_SCOPE_MISSING: 'Il manque à cette clé une autorisation dont la requête a besoin.',
  FORBIDDEN: 'Cela n’est pas disponible.',
  CUSTOMER_REQUIRED: 'Cette opération requiert l’en-tête X-Platform-Customer-GID.',
  PLATFORM_UNAVAILABLE: 'La plateforme de vente ne répond pas pour le moment. Réessayez.',
  STORE_DISCONNECTED: 'La boutique a retiré son accès. Le commerçant doit la reconnecter.',
  STORE_ACCESS_MISSING: 'La boutique ne propose pas cela actuellement. La boutique peut en dire plus.',
  OUTCOME_UNKNOWN:
    'La réponse s’est perdue, le changement a peut-être été fait : vérifiez avant de réessayer.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'La première requête avec cette clé n’est pas terminée, ou personne ne sait encore comment. Réessayez avec la même clé.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Cette clé a servi pour d’autres arguments au cours des dernières 24 heures. Donnez à chaque changement sa propre clé.',
  NOT_RUN: 'Cela n’a pas été exécuté, car une opération précédente ne s’est pas terminée.',

  // The contract.
  contractUnknown: 'Cet abonnement n’existe pas.',
  contractEnded: 'L’abonnement est terminé.',
  contractPaused: 'L’abonnement est en pause.',
  contractChangedMeanwhile: 'L’abonnement a été modifié entre-temps par quelqu’un d’autre. {detail}',
  readAndTryAgain: 'Rechargez-le et réessayez.',
  futureEdits:
    'Une commande à venir a été modifiée séparément. Les changements de l’abonnement attendent que cette modification soit supprimée.',
  futureEditsOn:
    'Une commande à venir a été modifiée séparément : celle du {day, date, long}. Les changements de l’abonnement attendent que cette modification soit supprimée.',
  minimumNotReached:
    'L’abonnement demande {minimum, plural, one {# commande} other {# commandes}} avant de pouvoir être résilié ; il y en a eu {made, number}.',

  // What is sent.
  changeNotAccepted: 'La boutique n’a pas accepté ce changement. La boutique peut en dire plus.',
  partNotAccepted:
    'Cela n’a pas été accepté : {part, select, STREET {la rue} CITY {la ville} COMPANY {l’entreprise} COUNTRY {le pays} NAME {le nom} PHONE {le numéro de téléphone} PROVINCE {la région ou la province} ZIP {le code postal} other {une indication}}. Vérifiez et réessayez.',
  valueNotTaken:
    'La boutique n’a pas accepté une valeur de cette demande. Si elle indique où commence une page, commencez par la première page.',
  answerMissing: 'Cette partie de la réponse manque : la boutique ne l’a pas fournie.',
  datePassed: 'La date est passée. Choisissez-en une plus tardive.',
  dateTooFar: 'La date est à plus d’un an. Choisissez-en une plus proche.',
  listTooLong: 'La liste compte plus de {most, plural, one {# élément} other {# éléments}}.',
  textTooLong: 'Le texte dépasse {most, plural, one {# caractère} other {# caractères}}.',

  // Orders.
  orderUnknown: 'L’abonnement n’a pas cette commande.',
  orderPlaced: 'Cette commande a déjà été passée : elle ne peut plus être modifiée.',
  orderSkipMissing: 'Indiquez si la commande est ignorée : true l’ignore, false annule cela.',
  orderSkippedBeforeMove: 'La commande est ignorée : annulez cela avant de la déplacer.',
  orderBeingBilled:
    'Cette commande est en cours de facturation : elle ne peut pas être modifiée avant la fin.',
  orderTimeOver: 'La période de cette commande est passée : elle ne peut plus être déplacée.',
  orderMovableWithin:
    'La commande peut être déplacée à un jour entre le {first, date, long} et le {last, date, long}, dans sa propre période.',
  orderDateChanged:
    'La date de cette commande a changé : elle est prévue le {day, date, long}. Vérifiez-la avant de continuer.',
  orderDatePassed: 'La date de cette commande est passée : elle reste telle quelle.',
  orderTooClose:
    'Une commande est prévue dans moins de {hours, plural, one {# heure} other {# heures}}, le {day, date, long}. Changez la fréquence après elle.',
  noOrderOnDate:
    'Aucune commande ne peut tomber à cette date : celle de cette période est payée, ou trop de commandes la précèdent.',
  nextOrderTooFar:
    'La prochaine commande est prévue le {day, date, long}, et trop de commandes la précéderaient à cette fréquence. Choisissez une fréquence moins élevée.',
  editDatePassed: 'La date est passée.',
  editNoOrderThatDay: 'Aucune commande de la nouvelle fréquence ne tombe ce jour-là.',
  editNoOrderCovers: 'Aucune commande de la nouvelle fréquence ne couvre cette date.',
  editPlaceTaken:
    'Une autre modification occupe déjà la commande de la nouvelle fréquence qui couvre cette date.',
  editRefused: 'La boutique ne l’a pas accepté.',

  // Charging.
  billingCycleUnknown: 'L’abonnement n’a pas ce cycle de facturation.',
  billingCycleTooFarAhead: 'La commande est à plus d’un an.',
  billingCycleBilled: 'Le cycle de facturation est déjà facturé.',
  billingCycleSkipped: 'Le cycle de facturation est ignoré.',
  billingFailedTooOften:
    'Le prélèvement a échoué {times, plural, one {# fois} other {# fois}} : cette commande n’est plus prélevée.',
  cycleIndexOrDate: 'Indiquez soit index, soit date, et pas les deux.',
  idempotencyKeyBlank: 'La clé d’idempotence est vide.',
  idempotencyKeyUsed:
    'Une autre commande a été débitée sous cette clé d’idempotence. Donnez à chaque débit sa propre clé.',

  // Lines.
  lineUnknown: 'L’abonnement n’a pas cette ligne.',
  lineTwice: 'Cette ligne est indiquée deux fois.',
  lineLast: 'Un abonnement garde au moins un produit.',
  linesFull: 'L’abonnement a autant de lignes qu’il peut en avoir : retirez-en d’abord une.',
  linesTooManyToRead: 'L’abonnement a plus de {limit, number} lignes. Demandez à la boutique de le modifier.',
  goodsWithoutPrice: 'Après ce changement, {product} ne coûterait rien. Demandez à la boutique de le faire.',
  goodsWithoutPriceByCode:
    'Après ce changement, {product} ne coûterait rien avec le code de réduction. Retirez d’abord le code ou demandez à la boutique.',
  lineLastPaid: 'Un abonnement garde au moins un produit payant.',
  linesNothingAsked: 'Rien n’est demandé : indiquez add, update ou remove.',
  linesTooMany: 'Un changement ne peut pas compter plus de {most, plural, one {# ligne} other {# lignes}}.',
  linesAndDiscountsTooMany:
    'Un changement ne peut pas compter plus de {most, plural, one {# ligne} other {# lignes}} et réductions qui disparaissent avec elles : retirez moins de lignes.',
  variantsTooMany:
    'Un changement ne peut pas compter plus de {most, plural, one {# nouvelle variante} other {# nouvelles variantes différentes}}.',
  variantTwice: 'Cette variante est indiquée deux fois.',
  variantOnSubscription: 'L’abonnement contient déjà cette variante : changez la quantité de sa ligne.',
  variantNotForSale: 'Cette variante n’est pas en vente pour cet abonnement.',
  variantNotUnderPlan: 'La variante n’est pas vendue avec cette formule.',
  planDiffers: 'La formule a une autre fréquence, d’autres jours ou d’autres limites que l’abonnement.',
  productGiven:
    'La boutique offre ce produit, ou une partie de son prix : elle seule peut en augmenter la quantité ou le remplacer. Pour en acheter davantage, ajoutez-le.',
  quantityRange: 'Une quantité va de {least, number} à {most, number}.',
  pricesInOtherCurrency:
    'L’abonnement est en {currency}, les prix des produits ne le sont pas : seules les quantités peuvent être changées, et des lignes retirées.',

  // The interval.
  intervalOrPlanMissing: 'Indiquez une fréquence, une formule de vente, ou les deux.',
  discountTiedToDate:
    'Les livraisons sont payées jusqu’au {day, date, long}, et la boutique offre un produit ou une réduction avec chacune. Choisissez une date ultérieure ou n’indiquez pas de date.',
  discountTiedToInterval:
    'La boutique offre un produit ou une réduction à chaque livraison. Demandez à la boutique une fréquence plus élevée.',
  intervalCountRange:
    'Pour cette unité, le nombre d’une fréquence va de {least, number} à {most, number} : trois ans au plus.',
  intervalNotOffered: 'Tous les produits de l’abonnement ne sont pas vendus {rhythm}. {offered}',
  intervalsOffered: 'Proposé : {intervals}.',
  intervalsNone: 'Aucune fréquence n’est proposée pour tous.',
  offeredInterval: '« {plan} » ({rhythm})',
  planUnknown: 'Cette formule de vente n’existe pas.',
  planMissing:
    'Un produit de l’abonnement n’a pas de formule de vente : seule la boutique peut changer sa fréquence.',
  planDoesNotRepeat: 'La formule de vente ne se répète pas.',
  planBillsOtherwise: 'La formule de vente facture {rhythm}. Retirez l’une des deux indications.',
  planEnds: 'La formule se termine d’elle-même. {offered}',
  planOfNoProduct: 'Aucun produit de l’abonnement n’est vendu avec cette formule. {offered}',
  planNotForAll:
    'Tous les produits de l’abonnement ne sont pas vendus aux conditions de cette formule. {offered}',
  plansSeveral: 'Plusieurs formules valent {rhythm} : {plans}. Indiquez l’une d’elles comme sellingPlanId.',
  quotedName: '« {name} »',
  planUneven: 'Un paiement de la formule de vente ne correspond pas à un nombre entier de livraisons.',
  subscriptionUneven:
    'Un paiement de l’abonnement ne correspond pas à un nombre entier de livraisons. Indiquez une formule de vente.',
  paymentUneven: 'Un paiement ne correspondrait pas à un nombre entier de livraisons.',
  deliveriesUneven:
    'Un paiement couvre {deliveries, plural, one {# livraison} other {# livraisons}}, qu’on ne peut pas répartir également avec une commande {rhythm}.',
  pricesInStoreCurrency:
    'L’abonnement n’est pas dans la devise de la boutique, dans laquelle la formule a ses prix.',
  priceUnknownUnderPlan:
    'Le prix d’un produit avec la formule « {plan} » ne peut pas être déterminé. Choisissez-en une autre.',
  priceUnknownAtInterval:
    'Le prix d’un produit à cette fréquence ne peut pas être déterminé. Choisissez-en une autre.',
  anchorsDoNotFit: 'Ces jours fixes ne conviennent pas à une commande {rhythm} : {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {facturation} other {livraison}} le {day, select, 1 {lundi} 2 {mardi} 3 {mercredi} 4 {jeudi} 5 {vendredi} 6 {samedi} 7 {dimanche} other {jour de semaine}}',
  anchorOnMonthday: '{policy, select, BILLING {facturation} other {livraison}} le jour {day, number} du mois',
  anchorOnYearday:
    '{policy, select, BILLING {facturation} other {livraison}} le jour {day, number} du mois {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {tous les jours} other {tous les # jours}}} WEEK {{count, plural, one {toutes les semaines} other {toutes les # semaines}}} MONTH {{count, plural, one {tous les mois} other {tous les # mois}}} YEAR {{count, plural, one {tous les ans} other {tous les # ans}}} other {à un autre rythme}}',
  rhythmWithDeliveries: '{rhythm} avec {deliveries, plural, one {# livraison} other {# livraisons}}',

  // Delivery.
  deliveryOneKind: 'Indiquez exactement l’un de shipping, localDelivery et pickupLocationId.',
  deliveryPhoneMissing: 'La livraison locale requiert un numéro que le livreur puisse appeler.',
  deliveryLocalOnly: 'Cela ne concerne que la livraison locale.',
  deliveryCountryMissing: 'Il manque le pays dans l’adresse.',
  deliveryNotThere: 'La boutique ne livre pas à cette adresse.',
  deliveryNotThisWay: 'La boutique ne livre pas à cette adresse de cette façon.',
  deliverySeveralWays: 'Il y a plusieurs modes de livraison : {ways}. Choisissez-en un par son code.',
  deliveryWayUnknown: 'Aucun mode de livraison n’a ce code. Modes proposés : {ways}. Choisissez l’un d’eux.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency:
    'La boutique indique le prix de la livraison dans une autre devise que celle de l’abonnement.',
  deliveryWayGone:
    'Le mode de livraison actuel n’est pas proposé pour ces produits. Modes proposés : {ways}. Choisissez l’un d’eux.',
  deliveryNotForGoods:
    'La boutique ne livre pas ces produits de cette façon. Modifiez les quantités, choisissez d’abord un autre mode de livraison ou demandez à la boutique.',
  deliveryMoreExpensive:
    'La boutique offre cette livraison. Seule la boutique peut choisir un mode de livraison plus cher.',
  deliveryPriceUnknown:
    'Cela changerait le mode de livraison ou son prix, et un paiement de cet abonnement couvre plusieurs livraisons. Choisissez d’abord une formule payée à chaque livraison ou demandez à la boutique.',
  pickupNeedsAddress: 'Les retraits possibles dépendent d’une adresse, et aucune n’est enregistrée.',
  pickupUnavailable: 'Un retrait ne peut pas être choisi ici. La boutique peut en dire plus.',
  pickupNotGranted:
    'La boutique n’a pas accordé read_locations à ce service : sans cela, un retrait ne peut pas être choisi.',

  // Discounts and payment.
  discountUnknown: 'L’abonnement n’a pas cette réduction.',
  codeMissing: 'Aucun code n’est indiqué.',
  codeUnknown: 'Ce code n’existe pas.',
  codeNotActive: 'Le code n’est pas actif actuellement.',
  codeNotForCustomer: 'Le code n’est pas destiné à ce compte client.',
  codeUsedByCustomer: 'Ce compte client a utilisé le code autant de fois que permis.',
  codeUsedUp: 'Le code a été utilisé autant de fois que permis.',
  codeAlreadyUsed:
    'Ce code a déjà été utilisé pour cet abonnement, puis retiré. Seule la boutique peut l’appliquer de nouveau.',
  codeNotForSubscriptions: 'Le code n’est pas valable pour les abonnements.',
  codeNotForProducts: 'Le code n’est valable pour aucun des produits de cet abonnement.',
  codeNotForDelivery: 'Le code n’est pas valable pour ce mode de livraison.',
  codeNotForAmount: 'Le montant de la commande est trop faible ou trop élevé pour le code.',
  codeNotForCount: 'La commande compte trop peu ou trop d’articles pour le code.',
  codeDoesNotApply: 'Le code ne s’applique pas.',
  codesTried:
    'Trop de codes ne se sont pas appliqués. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',
  paymentMethodUnknown: 'Ce moyen de paiement n’existe pas.',
  paymentMethodOfOther: 'Le moyen de paiement n’appartient pas au compte client de l’abonnement.',
  paymentMethodRevoked: 'Le moyen de paiement a été révoqué.',
  paymentEmailSent:
    'Un e-mail concernant ce moyen de paiement a été envoyé il y a peu. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',

  // Sign-ins.
  webhookEndpointUnknown: 'Ce point de réception n’existe pas. Affichez la liste pour voir les identifiants.',
  webhookDeliveryUnknown:
    'Cet événement n’existe plus pour ce point de réception. Affichez la liste des envois pour voir les identifiants.',
  webhookEndpointsTooMany:
    'Une boutique a au plus {most, plural, one {# point de réception} other {# points de réception}}. Supprimez-en un d’abord.',
  webhookReplaysTooMany:
    'Trop de nouveaux envois complets ont été demandés en une heure. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',
  webhookResendsTooMany:
    'Tant d’événements ont été demandés un par un aujourd’hui : {most, plural, one {#} other {#}}. Demandez plutôt un nouvel envoi complet.',
  webhookTypesEmpty: 'Indiquez au moins un type, ou omettez les types : tous sont alors envoyés.',
  webhookSinceRange:
    'Ce qui s’est passé ces 30 derniers jours peut être envoyé de nouveau. Choisissez un moment de cette période.',
  webhookChangedMeanwhile:
    'Le point de réception a été modifié entre-temps par quelqu’un d’autre. Relisez-le et réessayez.',
  webhookTestedOften:
    'Un point de réception vient d’être testé. Réessayez dans {seconds, plural, one {# seconde} other {# secondes}}.',
  webhookUrlInvalid:
    'Ce n’est pas une URL. Indiquez une URL complète, par exemple https://example.com/webhooks.',
  webhookUrlNotHttps:
    'Les événements sont envoyés uniquement en https. Indiquez une URL qui commence par https://.',
  webhookUrlUser: 'L’URL ne doit contenir ni utilisateur ni mot de passe. La signature montre qui envoie.',
  webhookUrlPort: 'Les événements sont envoyés uniquement au port 443. Omettez le port.',
  webhookUrlNotPublic: 'L’adresse n’est pas publique : aucun événement n’y est envoyé.',
  webhookUrlUnresolved: 'Le nom de l’URL ne mène à aucune adresse. Corrigez-le ou réessayez plus tard.',
  sessionUnknown: 'Cette connexion n’existe pas. Affichez la liste pour voir les identifiants.',
  sessionsNoOthers:
    'Seul un client connecté en a d’autres. Mettez fin à chaque connexion avec customerSessionRevoke.',
  sessionReplaced: 'Ce jeton d’accès a été remplacé par un nouveau. Réessayez avec le nouveau.',
  sessionsEndedOften:
    'Une connexion peut mettre fin à de plus récentes trois fois par heure. Ce sera de nouveau possible dans {minutes, plural, one {# minute} other {# minutes}} ; une nouvelle connexion peut mettre fin à celle-ci tout de suite.',

  // Who acted, in the timeline.
  whoYou: 'Vous avez',
  whoCustomer: 'Un client a',
  whoTheCustomer: 'Le client a',
  whoCustomerThrough: 'Le client, par <b>{key}</b>, a',
  whoStore: 'La boutique a',
  whoKey: '<b>{key}</b> a',
  whoService: 'Le service d’abonnement a',
  whoElsewhere: 'Quelqu’un, en dehors de ce service, a',

  // What was done.
  billing_cycle_skipped: '{who} ignoré {order}.',
  billing_cycle_unskipped: '{who} rétabli {order}.',
  billing_cycle_rescheduled: '{who} déplacé {order}.',
  billing_cycle_rescheduled_to: '{who} déplacé {order} au {day, date, long}.',
  billing_cycle_charged: '{who} prélevé {order}.',
  billing_cycle_declined: '{who} tenté de prélever {order}, mais {why}.',
  billing_cycle_action_required: '{who} tenté de prélever {order}, et le paiement doit être confirmé.',
  billing_cycle_edited: '{who} modifié seulement {order}.',
  billing_cycle_edits_deleted: '{who} annulé les modifications de commandes isolées.',
  billing_cycles_charged: '{who} commencé à prélever les commandes de nombreux abonnements.',
  subscription_created: '{who} créé l’abonnement.',
  subscription_paused: '{who} mis l’abonnement en pause.',
  subscription_paused_until: '{who} mis l’abonnement en pause jusqu’au {day, date, long}.',
  subscription_resumed: '{who} repris l’abonnement.',
  subscription_resumed_on: '{who} repris l’abonnement, avec la prochaine commande le {day, date, long}.',
  subscription_cancelled: '{who} résilié l’abonnement.',
  subscription_expired: '{who} mis fin à l’abonnement.',
  subscription_failed: '{who} marqué l’abonnement comme échoué.',
  subscription_updated: '{who} modifié l’abonnement.',
  subscription_lines_updated: '{who} modifié les produits.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} changé la fréquence des commandes.',
  subscription_interval_updated_to: '{who} changé la fréquence des commandes : {rhythm}.',
  subscription_interval_updated_apart:
    '{who} changé la fréquence des commandes : {delivered}, payées {paid}.',
  subscription_next_billing_date_updated: '{who} fixé la date de la prochaine commande.',
  subscription_next_billing_date_updated_to:
    '{who} fixé la date de la prochaine commande au {day, date, long}.',
  subscription_delivery_updated: '{who} modifié la livraison.',
  subscription_payment_method_updated: '{who} changé le moyen de paiement.',
  payment_method_replaced: '{who} changé les détails du moyen de paiement.',
  payment_method_removed: '{who} supprimé le moyen de paiement.',
  subscription_discount_applied: '{who} appliqué une réduction.',
  subscription_discount_applied_code: '{who} appliqué le code de réduction <b>{code}</b>.',
  subscription_discount_removed: '{who} supprimé une réduction.',
  subscription_note_updated: '{who} modifié la note.',
  customer_address_updated: '{who} modifié une adresse du carnet d’adresses ; l’abonnement garde la sienne.',
  payment_method_update_email_sent: '{who} demandé un e-mail pour mettre à jour le moyen de paiement.',
  webhook_endpoint_disabled:
    '{who} cessé d’envoyer des événements à un point de terminaison webhook : il ne les acceptait pas.',
  somethingDone: '{who} effectué un changement ({action}).',
  outcomeUnknown: 'On ne sait pas si cela a pris effet.',

  // Which order.
  orderOfDay: 'la commande du {day, date, long}',
  orderOfNumber: 'la commande nº {number, number}',
  orderOfNobodyKnows: 'une commande',

  // What became of lines.
  linesAdded: 'ajouté {products}',
  lineRemoved: 'retiré {product}',
  lineSwapped: 'remplacé {before} par {after}',
  lineQuantityChanged: 'changé la quantité de {product} de {before} à {after}',
  lineDiscountRemoved: 'supprimé la réduction {title}',
  lineSomeDiscountRemoved: 'supprimé une réduction',
  linesMore: 'fait {count, plural, one {# autre changement} other {# autres changements}}',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'le paiement doit être confirmé auprès de la banque',
  declinedStock: 'un article est en rupture de stock',
  declinedStore: 'la boutique doit s’en occuper',
  declinedLater: 'le paiement a été refusé ; il pourra être retenté plus tard',
  declinedMethod: 'le moyen de paiement ou son adresse de facturation doit être mis à jour',
  declinedOtherMethod: 'un autre moyen de paiement est nécessaire',
  declinedPaid: 'elle avait déjà été payée',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {C’est trop cher.} TOO_MUCH_PRODUCT {Il y en a trop.} NOT_NEEDED {Il n’y en a plus besoin.} QUALITY {Le produit n’est pas assez bon.} DELIVERY {La livraison ne fonctionne pas.} MOVED {Déménagement.} SWITCHED {Autre chose est acheté à la place.} TEMPORARY {Seulement pour un temps.} other {}}',
};
