/** What customers read, in Spanish. Customers are addressed as «tú»; en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const es: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Esta dirección no es para clientes. Usa la dirección pública del servicio.',
  NOT_FOUND: 'No hay nada en esta dirección. Comprueba la ruta.',
  METHOD_NOT_ALLOWED: 'Esta dirección acepta otros métodos. Consulta la cabecera Allow.',
  PAYLOAD_TOO_LARGE: 'El cuerpo de la petición es demasiado grande.',
  UNSUPPORTED_MEDIA_TYPE: 'Envía el cuerpo como JSON, con Content-Type: application/json.',
  INVALID_JSON: 'El cuerpo debe ser un objeto JSON.',
  TEMPORARILY_UNAVAILABLE:
    'El servicio no puede responder en este momento. No se ha perdido nada: inténtalo de nuevo.',
  INTERNAL_ERROR:
    'Algo ha fallado por nuestra parte. Indica el número de la petición (request id) si lo comunicas.',
  MISSING_SHOP: 'Falta el campo "shop": el dominio de la tienda.',
  MISSING_PARAMETERS: 'Un campo obligatorio falta, está vacío, es demasiado largo o es del tipo equivocado.',
  INVALID_SHOP: 'El campo "shop" no es el dominio de una tienda.',
  INVALID_NONCE:
    'Este inicio de sesión es desconocido, ha caducado o ya se ha usado. Empieza de nuevo el inicio de sesión.',
  SIGN_IN_REJECTED:
    'La plataforma no ha aceptado este inicio de sesión. Empieza de nuevo el inicio de sesión.',
  SHOP_NOT_INSTALLED: 'El servicio no está instalado en esta tienda.',
  CLIENT_ID_NOT_CONFIGURED: 'El inicio de sesión de clientes no está configurado en esta tienda.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'La tienda no tiene un token de Storefront para aplicaciones. La propia tienda puede decirte más.',
  INVALID_REFRESH_TOKEN: 'El token de renovación ya no es válido. Vuelve a iniciar sesión.',
  TOKEN_NOT_FOUND: 'No hay ningún inicio de sesión guardado para este cliente. Inicia sesión.',
  THROTTLED: 'Demasiadas peticiones. Espera lo que indica Retry-After e inténtalo de nuevo.',
  WRONG_STORE_DOMAIN:
    'Este enlace no es para una tienda con ese dominio. Escribe el dominio de la tienda para la que se creó el enlace.',
  LINK_GONE: 'Este enlace ya no se puede abrir. Pide uno nuevo.',
  UNAUTHENTICATED: 'Hay que iniciar sesión',
  INVALID_CUSTOMER_GID:
    'La cabecera X-Platform-Customer-GID debe ser un id de cliente como gid://platform/Customer/123.',
  GRAPHQL_PARSE_FAILED: 'El documento no es GraphQL válido.',
  GRAPHQL_VALIDATION_FAILED: 'El documento no se ajusta al esquema.',
  FIELD_NOT_AVAILABLE: 'Este campo no está disponible para cuentas de cliente',
  QUERY_TOO_COMPLEX: 'La consulta es demasiado compleja.',
  KEY_SCOPE_MISSING: 'A esta clave le falta un permiso que la petición necesita.',
  FORBIDDEN: 'Esto no está disponible.',
  CUSTOMER_REQUIRED: 'Esta operación necesita la cabecera X-Platform-Customer-GID.',
  PLATFORM_UNAVAILABLE: 'La plataforma de la tienda no responde en este momento. Inténtalo de nuevo.',
  STORE_DISCONNECTED: 'La tienda ha retirado su acceso. El comerciante debe volver a conectarla.',
  STORE_ACCESS_MISSING: 'La tienda no ofrece esto por ahora. La propia tienda puede decirte más.',
  OUTCOME_UNKNOWN:
    'La respuesta se ha perdido y puede que el cambio se haya hecho: compruébalo antes de intentarlo de nuevo.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'La primera petición con esta clave no ha terminado, o aún no se sabe cómo. Vuelve a preguntar con la misma clave.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Esta clave se usó para otros argumentos en las últimas 24 horas. Da a cada cambio su propia clave.',
  NOT_RUN: 'Esto no se ha ejecutado porque una operación anterior no terminó.',

  // The contract.
  contractUnknown: 'Esta suscripción no existe.',
  contractEnded: 'La suscripción ha terminado.',
  contractPaused: 'La suscripción está en pausa.',
  contractChangedMeanwhile: 'Mientras tanto, otra persona ha cambiado la suscripción. {detail}',
  readAndTryAgain: 'Vuelve a cargarla e inténtalo de nuevo.',
  futureEdits:
    'Se ha editado por separado un pedido próximo. Los cambios de la suscripción esperan a que se quite esa edición.',
  futureEditsOn:
    'Se ha editado por separado un pedido próximo: el del {day, date, long}. Los cambios de la suscripción esperan a que se quite esa edición.',
  minimumNotReached:
    'La suscripción exige {minimum, plural, one {# pedido} other {# pedidos}} antes de poder cancelarse; hasta ahora {made, plural, one {ha habido #} other {ha habido #}}.',

  // What is sent.
  changeNotAccepted: 'La tienda no ha aceptado este cambio. La propia tienda puede decirte más.',
  partNotAccepted:
    'Esto no se ha aceptado: {part, select, STREET {la calle} CITY {la ciudad} COMPANY {la empresa} COUNTRY {el país} NAME {el nombre} PHONE {el número de teléfono} PROVINCE {el estado o la provincia} ZIP {el código postal} other {un dato}}. Compruébalo e inténtalo de nuevo.',
  valueNotTaken:
    'La tienda no ha aceptado un valor de esta petición. Si indica dónde empieza una página, empieza por la primera página.',
  answerMissing: 'Falta esta parte de la respuesta: la tienda no la ha dado.',
  datePassed: 'La fecha ya ha pasado. Elige una posterior.',
  dateTooFar: 'Falta más de un año para esa fecha. Elige una anterior.',
  listTooLong: 'La lista tiene más de {most, plural, one {# elemento} other {# elementos}}.',
  textTooLong: 'El texto tiene más de {most, plural, one {# carácter} other {# caracteres}}.',

  // Orders.
  orderUnknown: 'La suscripción no tiene ese pedido.',
  orderPlaced: 'Este pedido ya se ha realizado: no se puede cambiar.',
  orderSkipMissing: 'Indica si el pedido se omite: true lo omite, false lo deshace.',
  orderSkippedBeforeMove: 'El pedido está omitido: deshaz eso antes de moverlo.',
  orderBeingBilled: 'Este pedido se está cobrando: no se puede cambiar hasta que termine el cobro.',
  orderTimeOver: 'El periodo de este pedido ya ha pasado: no se puede mover.',
  orderMovableWithin:
    'El pedido se puede mover a un día entre el {first, date, long} y el {last, date, long}, dentro de su propio periodo.',
  orderDateChanged:
    'La fecha de este pedido ha cambiado: ahora es el {day, date, long}. Compruébalo antes de continuar.',
  orderDatePassed: 'La fecha de este pedido ya ha pasado: se queda como está.',
  orderTooClose:
    'Hay un pedido previsto en menos de {hours, plural, one {# hora} other {# horas}}, el {day, date, long}. Cambia la frecuencia después.',
  noOrderOnDate:
    'No puede haber ningún pedido en esa fecha: el de ese periodo está pagado o hay demasiados pedidos antes.',
  nextOrderTooFar:
    'El próximo pedido es el {day, date, long}, y con esta frecuencia habría demasiados pedidos antes. Elige una frecuencia menor.',
  editDatePassed: 'La fecha ya ha pasado.',
  editNoOrderThatDay: 'Con la nueva frecuencia no cae ningún pedido en ese día.',
  editNoOrderCovers: 'Con la nueva frecuencia ningún pedido abarca esa fecha.',
  editPlaceTaken: 'El pedido de la nueva frecuencia que abarca esa fecha ya tiene otra edición.',
  editRefused: 'La tienda no lo ha aceptado.',

  // Charging.
  billingCycleUnknown: 'La suscripción no tiene ese ciclo de facturación.',
  billingCycleTooFarAhead: 'Falta más de un año para el pedido.',
  billingCycleBilled: 'El ciclo de facturación ya está cobrado.',
  billingCycleSkipped: 'El ciclo de facturación está omitido.',
  billingFailedTooOften:
    'El cobro ha fallado {times, plural, one {# vez} other {# veces}}: este pedido ya no se cobra.',
  cycleIndexOrDate: 'Indica index o date, pero no ambos.',
  idempotencyKeyBlank: 'La clave de idempotencia está vacía.',
  idempotencyKeyUsed: 'Con esta clave de idempotencia se cobró otro pedido. Da a cada cobro su propia clave.',

  // Lines.
  lineUnknown: 'La suscripción no tiene esa línea.',
  lineTwice: 'Esta línea aparece dos veces.',
  lineLast: 'Una suscripción conserva al menos un producto.',
  linesFull: 'La suscripción tiene todas las líneas que puede tener: quita una primero.',
  linesTooManyToRead: 'La suscripción tiene más de {limit, number} líneas. Pide a la tienda que la cambie.',
  goodsWithoutPrice: 'Después de este cambio, {product} no costaría nada. Pide a la tienda que lo haga.',
  goodsWithoutPriceByCode:
    'Después de este cambio, {product} no costaría nada con el código de descuento. Quita antes el código o pregunta a la tienda.',
  lineLastPaid: 'Una suscripción conserva al menos un producto de pago.',
  linesNothingAsked: 'No se pide nada: indica add, update o remove.',
  linesTooMany: 'En un cambio no caben más de {most, plural, one {# línea} other {# líneas}}.',
  linesAndDiscountsTooMany:
    'En un cambio no caben más de {most, plural, one {# línea} other {# líneas}} y descuentos que se van con ellas: quita menos líneas.',
  variantsTooMany:
    'En un cambio no caben más de {most, plural, one {# variante nueva} other {# variantes nuevas distintas}}.',
  variantTwice: 'Esta variante aparece dos veces.',
  variantOnSubscription: 'La suscripción ya tiene esta variante: cambia la cantidad de su línea.',
  variantNotForSale: 'Esta variante no está a la venta en esta suscripción.',
  variantNotUnderPlan: 'La variante no se vende con este plan.',
  planDiffers: 'El plan tiene otra frecuencia, otros días u otros límites que la suscripción.',
  productGiven:
    'La tienda regala este producto o parte de su precio: solo la tienda puede aumentarlo o cambiarlo por otro. Para comprar más, añádelo.',
  quantityRange: 'Una cantidad va de {least, number} a {most, number}.',
  pricesInOtherCurrency:
    'La suscripción está en {currency} y los precios de los productos no: solo se pueden cambiar cantidades y quitar líneas.',

  // The interval.
  intervalOrPlanMissing: 'Indica una frecuencia, un plan de venta o ambos.',
  discountTiedToDate:
    'Las entregas están pagadas hasta el {day, date, long}, y la tienda da un producto o un descuento con cada una. Elige una fecha posterior o no indiques ninguna.',
  discountTiedToInterval:
    'La tienda da un producto o un descuento con cada entrega. Pide a la tienda una frecuencia mayor.',
  intervalCountRange:
    'En esta unidad, el número de una frecuencia va de {least, number} a {most, number}: tres años como máximo.',
  intervalNotOffered: 'No todos los productos de la suscripción se venden {rhythm}. {offered}',
  intervalsOffered: 'Se ofrece: {intervals}.',
  intervalsNone: 'No se ofrece ninguna frecuencia para todos.',
  offeredInterval: '«{plan}» ({rhythm})',
  planUnknown: 'Ese plan de venta no existe.',
  planMissing:
    'Un producto de la suscripción no tiene plan de venta: solo la tienda puede cambiar su frecuencia.',
  planDoesNotRepeat: 'El plan de venta no se repite.',
  planBillsOtherwise: 'El plan de venta cobra {rhythm}. Deja fuera uno de los dos.',
  planEnds: 'El plan termina por sí solo. {offered}',
  planOfNoProduct: 'Ningún producto de la suscripción se vende con este plan. {offered}',
  planNotForAll:
    'No todos los productos de la suscripción se venden con las condiciones de este plan. {offered}',
  plansSeveral: 'Hay varios planes {rhythm}: {plans}. Indica uno de ellos como sellingPlanId.',
  quotedName: '«{name}»',
  planUneven: 'Un pago del plan de venta no corresponde a un número entero de entregas.',
  subscriptionUneven:
    'Un pago de la suscripción no corresponde a un número entero de entregas. Indica un plan de venta.',
  paymentUneven: 'Un pago no correspondería a un número entero de entregas.',
  deliveriesUneven:
    'Un pago cubre {deliveries, plural, one {# entrega} other {# entregas}}, que no se pueden repartir por igual con un pedido {rhythm}.',
  pricesInStoreCurrency:
    'La suscripción no está en la moneda de la tienda, en la que el plan tiene sus precios.',
  priceUnknownUnderPlan: 'No se puede determinar el precio de un producto con el plan «{plan}». Elige otro.',
  priceUnknownAtInterval: 'No se puede determinar el precio de un producto con esta frecuencia. Elige otra.',
  anchorsDoNotFit: 'Estos días fijos no encajan con un pedido {rhythm}: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {cobro} other {entrega}} {day, select, 1 {el lunes} 2 {el martes} 3 {el miércoles} 4 {el jueves} 5 {el viernes} 6 {el sábado} 7 {el domingo} other {un día de la semana}}',
  anchorOnMonthday: '{policy, select, BILLING {cobro} other {entrega}} el día {day, number} del mes',
  anchorOnYearday:
    '{policy, select, BILLING {cobro} other {entrega}} el día {day, number} del mes {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {cada día} other {cada # días}}} WEEK {{count, plural, one {cada semana} other {cada # semanas}}} MONTH {{count, plural, one {cada mes} other {cada # meses}}} YEAR {{count, plural, one {cada año} other {cada # años}}} other {con otro ritmo}}',
  rhythmWithDeliveries: '{rhythm} con {deliveries, plural, one {# entrega} other {# entregas}}',

  // Delivery.
  deliveryOneKind: 'Indica exactamente uno de shipping, localDelivery y pickupLocationId.',
  deliveryPhoneMissing: 'La entrega local necesita un número al que pueda llamar el repartidor.',
  deliveryLocalOnly: 'Esto es solo para la entrega local.',
  deliveryCountryMissing: 'A la dirección le falta el país.',
  deliveryNotThere: 'La tienda no entrega en ese lugar.',
  deliveryNotThisWay: 'La tienda no entrega en ese lugar de esta manera.',
  deliverySeveralWays: 'Hay varias formas de entrega: {ways}. Elige una por su código.',
  deliveryWayUnknown: 'No hay ninguna forma de entrega con ese código. Hay: {ways}. Elige una de ellas.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency:
    'La tienda indica el precio de la entrega en otra moneda que la de la suscripción.',
  deliveryWayGone:
    'La forma de entrega actual no se ofrece para estos productos. Hay: {ways}. Elige una de ellas.',
  deliveryNotForGoods:
    'La tienda no entrega estos productos de esta manera. Cambia las cantidades, elige antes otra forma de entrega o pregunta a la tienda.',
  deliveryMoreExpensive:
    'La tienda asume el coste de esta entrega. Solo la tienda puede elegir una forma de entrega más cara.',
  deliveryPriceUnknown:
    'Esto cambiaría la forma de entrega o su precio, y un pago de esta suscripción cubre varias entregas. Elige antes un plan que se pague con cada entrega o pregunta a la tienda.',
  pickupNeedsAddress: 'Lo que se puede recoger depende de una dirección, y no hay ninguna guardada.',
  pickupUnavailable: 'Aquí no se puede elegir una recogida. La tienda puede decirte más.',
  pickupNotGranted:
    'La tienda no ha concedido read_locations a este servicio: sin eso no se puede elegir una recogida.',

  // Discounts and payment.
  discountUnknown: 'La suscripción no tiene ese descuento.',
  codeMissing: 'No se ha indicado ningún código.',
  codeUnknown: 'Ese código no existe.',
  codeNotActive: 'El código no está activo por ahora.',
  codeNotForCustomer: 'El código no es para esta cuenta de cliente.',
  codeUsedByCustomer: 'Con esta cuenta de cliente el código se ha usado tantas veces como permite.',
  codeUsedUp: 'El código se ha usado tantas veces como permite.',
  codeAlreadyUsed:
    'Este código ya se usó en esta suscripción y después se quitó. Solo la tienda puede volver a aplicarlo.',
  codeNotForSubscriptions: 'El código no es para suscripciones.',
  codeNotForProducts: 'El código no es para ninguno de los productos de esta suscripción.',
  codeNotForDelivery: 'El código no es para esta forma de entrega.',
  codeNotForAmount: 'El pedido cuesta demasiado poco o demasiado para el código.',
  codeNotForCount: 'El pedido tiene muy pocos o demasiados artículos para el código.',
  codeDoesNotApply: 'El código no se puede aplicar.',
  codesTried:
    'Demasiados códigos no se pudieron aplicar. Inténtalo de nuevo en {minutes, plural, one {# minuto} other {# minutos}}.',
  paymentMethodUnknown: 'Esa forma de pago no existe.',
  paymentMethodOfOther: 'La forma de pago no es de la cuenta de cliente de la suscripción.',
  paymentMethodRevoked: 'La forma de pago ha sido revocada.',
  paymentEmailSent:
    'Hace poco se envió un correo sobre esta forma de pago. Inténtalo de nuevo en {minutes, plural, one {# minuto} other {# minutos}}.',

  // Sign-ins.
  webhookEndpointUnknown: 'Ese punto de conexión no existe. Consulta la lista para ver los id.',
  webhookDeliveryUnknown:
    'Ese evento ya no existe en este punto de conexión. Consulta la lista de entregas para ver los id.',
  webhookEndpointsTooMany:
    'Una tienda tiene como máximo {most, plural, one {# punto de conexión} other {# puntos de conexión}}. Elimina uno primero.',
  webhookReplaysTooMany:
    'Se han pedido demasiadas repeticiones en una hora. Inténtalo de nuevo en {minutes, plural, one {# minuto} other {# minutos}}.',
  webhookResendsTooMany:
    'Hoy ya se han pedido tantos eventos uno a uno: {most, plural, one {#} other {#}}. Pide una repetición en su lugar.',
  webhookTypesEmpty: 'Indica al menos un tipo, u omite los tipos: entonces se envían todos.',
  webhookSinceRange:
    'Lo ocurrido en los últimos 30 días se puede volver a enviar. Elige un momento dentro de ellos.',
  webhookChangedMeanwhile:
    'Otra persona ha cambiado el punto de conexión mientras tanto. Léelo e inténtalo de nuevo.',
  webhookTestedOften:
    'Se acaba de probar un punto de conexión. Inténtalo de nuevo en {seconds, plural, one {# segundo} other {# segundos}}.',
  webhookUrlInvalid: 'Esto no es una URL. Indica una completa, por ejemplo https://example.com/webhooks.',
  webhookUrlNotHttps: 'Los eventos solo se envían por https. Indica una URL que empiece por https://.',
  webhookUrlUser: 'La URL no puede contener usuario ni contraseña. La firma muestra quién envía.',
  webhookUrlPort: 'Los eventos solo se envían al puerto 443. Omite el puerto.',
  webhookUrlNotPublic: 'La dirección no es pública: no se le envían eventos.',
  webhookUrlUnresolved: 'El nombre de la URL no lleva a ninguna dirección. Corrígelo o inténtalo más tarde.',
  sessionUnknown: 'Ese inicio de sesión no existe. Consulta la lista para ver los id.',
  sessionsNoOthers:
    'Solo un cliente con la sesión iniciada tiene otras. Termina cada una con customerSessionRevoke.',
  sessionReplaced: 'Este token de acceso se ha sustituido por uno nuevo. Pregunta de nuevo con el nuevo.',
  sessionsEndedOften:
    'Un inicio de sesión puede terminar otros más recientes tres veces por hora. Podrá de nuevo en {minutes, plural, one {# minuto} other {# minutos}}; un nuevo inicio de sesión puede terminar este enseguida.',

  // Who acted, in the timeline.
  whoYou: 'Has',
  whoCustomer: 'Un cliente ha',
  whoTheCustomer: 'El cliente ha',
  whoCustomerThrough: 'El cliente, a través de <b>{key}</b>, ha',
  whoStore: 'La tienda ha',
  whoKey: '<b>{key}</b> ha',
  whoService: 'El servicio de suscripciones ha',
  whoElsewhere: 'Alguien ajeno a este servicio ha',

  // What was done.
  billing_cycle_skipped: '{who} omitido {order}.',
  billing_cycle_unskipped: '{who} recuperado {order}.',
  billing_cycle_rescheduled: '{who} movido {order}.',
  billing_cycle_rescheduled_to: '{who} movido {order} al {day, date, long}.',
  billing_cycle_charged: '{who} cobrado {order}.',
  billing_cycle_declined: '{who} intentado cobrar {order}, pero {why}.',
  billing_cycle_action_required: '{who} intentado cobrar {order}, y hay que confirmar el pago.',
  billing_cycle_edited: '{who} cambiado solo {order}.',
  billing_cycle_edits_deleted: '{who} deshecho los cambios de pedidos sueltos.',
  billing_cycles_charged: '{who} empezado a cobrar los pedidos de muchas suscripciones.',
  subscription_created: '{who} creado la suscripción.',
  subscription_paused: '{who} pausado la suscripción.',
  subscription_paused_until: '{who} pausado la suscripción hasta el {day, date, long}.',
  subscription_resumed: '{who} reanudado la suscripción.',
  subscription_resumed_on: '{who} reanudado la suscripción, con el próximo pedido el {day, date, long}.',
  subscription_cancelled: '{who} cancelado la suscripción.',
  subscription_expired: '{who} finalizado la suscripción.',
  subscription_failed: '{who} marcado la suscripción como fallida.',
  subscription_updated: '{who} cambiado la suscripción.',
  subscription_lines_updated: '{who} cambiado los productos.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} cambiado la frecuencia de los pedidos.',
  subscription_interval_updated_to: '{who} cambiado la frecuencia de los pedidos: {rhythm}.',
  subscription_interval_updated_apart:
    '{who} cambiado la frecuencia de los pedidos: {delivered}, con pago {paid}.',
  subscription_next_billing_date_updated: '{who} fijado la fecha del próximo pedido.',
  subscription_next_billing_date_updated_to:
    '{who} fijado la fecha del próximo pedido en el {day, date, long}.',
  subscription_delivery_updated: '{who} cambiado la entrega.',
  subscription_payment_method_updated: '{who} cambiado la forma de pago.',
  payment_method_replaced: '{who} cambiado los datos de la forma de pago.',
  payment_method_removed: '{who} eliminado la forma de pago.',
  subscription_discount_applied: '{who} aplicado un descuento.',
  subscription_discount_applied_code: '{who} aplicado el código de descuento <b>{code}</b>.',
  subscription_discount_removed: '{who} quitado un descuento.',
  subscription_note_updated: '{who} cambiado la nota.',
  customer_address_updated:
    '{who} cambiado una dirección de la libreta de direcciones; la suscripción conserva la suya.',
  payment_method_update_email_sent: '{who} pedido un correo para actualizar la forma de pago.',
  webhook_endpoint_disabled:
    '{who} dejado de enviar eventos a un punto de conexión de webhook: no los aceptaba.',
  somethingDone: '{who} hecho un cambio ({action}).',
  outcomeUnknown: 'No se sabe si esto ha tenido efecto.',

  // Which order.
  orderOfDay: 'el pedido del {day, date, long}',
  orderOfNumber: 'el pedido n.º {number, number}',
  orderOfNobodyKnows: 'un pedido',

  // What became of lines.
  linesAdded: 'añadido {products}',
  lineRemoved: 'quitado {product}',
  lineSwapped: 'cambiado {before} por {after}',
  lineQuantityChanged: 'cambiado la cantidad de {product} de {before} a {after}',
  lineDiscountRemoved: 'quitado el descuento {title}',
  lineSomeDiscountRemoved: 'quitado un descuento',
  linesMore: 'hecho {count, plural, one {# cambio más} other {# cambios más}}',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'hay que confirmarlo con el banco',
  declinedStock: 'algo de él está agotado',
  declinedStore: 'la tienda tiene que revisarlo',
  declinedLater: 'el pago fue rechazado; se puede intentar de nuevo más tarde',
  declinedMethod: 'hay que actualizar la forma de pago o su dirección de facturación',
  declinedOtherMethod: 'hace falta otra forma de pago',
  declinedPaid: 'ya estaba pagado',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {Cuesta demasiado.} TOO_MUCH_PRODUCT {Es demasiada cantidad.} NOT_NEEDED {Ya no hace falta.} QUALITY {El producto no es lo bastante bueno.} DELIVERY {La entrega no funciona.} MOVED {Mudanza.} SWITCHED {Se compra otra cosa.} TEMPORARY {Solo por un tiempo.} other {}}',
};
