/** What customers read, in Brazilian Portuguese. Customers are addressed as “você”; en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const pt: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'Este endereço não é para clientes. Use o endereço público do serviço.',
  NOT_FOUND: 'Não há nada neste endereço. Confira o caminho.',
  METHOD_NOT_ALLOWED: 'Este endereço aceita outros métodos. Veja o cabeçalho Allow.',
  PAYLOAD_TOO_LARGE: 'O corpo da solicitação é grande demais.',
  UNSUPPORTED_MEDIA_TYPE: 'Envie o corpo como JSON, com Content-Type: application/json.',
  INVALID_JSON: 'O corpo deve ser um objeto JSON.',
  TEMPORARILY_UNAVAILABLE: 'O serviço não pode responder agora. Nada se perdeu: tente de novo.',
  INTERNAL_ERROR:
    'Algo deu errado do nosso lado. Informe o número da solicitação (request id) ao relatar o problema.',
  MISSING_SHOP: 'O campo "shop" é obrigatório: o domínio da loja.',
  MISSING_PARAMETERS: 'Um campo obrigatório está ausente, vazio, longo demais ou do tipo errado.',
  INVALID_SHOP: 'O campo "shop" não é o domínio de uma loja.',
  INVALID_NONCE: 'Este login é desconhecido, expirou ou já foi usado. Comece o login de novo.',
  SIGN_IN_REJECTED: 'A plataforma não aceitou este login. Comece o login de novo.',
  SHOP_NOT_INSTALLED: 'O serviço não está instalado nesta loja.',
  CLIENT_ID_NOT_CONFIGURED: 'O login de clientes não está configurado para esta loja.',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'A loja não tem um token de Storefront para aplicativos. A própria loja pode dizer mais.',
  INVALID_REFRESH_TOKEN: 'O token de renovação não é mais válido. Faça login de novo.',
  TOKEN_NOT_FOUND: 'Não há login salvo para este cliente. Faça login.',
  THROTTLED: 'Solicitações demais. Espere o tempo indicado em Retry-After e tente de novo.',
  WRONG_STORE_DOMAIN:
    'Este link não é para uma loja com esse domínio. Digite o domínio da loja para a qual o link foi criado.',
  LINK_GONE: 'Este link não pode mais ser aberto. Peça um novo.',
  UNAUTHENTICATED: 'É preciso fazer login',
  INVALID_CUSTOMER_GID:
    'O cabeçalho X-Platform-Customer-GID deve ser um id de cliente como gid://platform/Customer/123.',
  GRAPHQL_PARSE_FAILED: 'O documento não é GraphQL válido.',
  GRAPHQL_VALIDATION_FAILED: 'O documento não corresponde ao esquema.',
  FIELD_NOT_AVAILABLE: 'Este campo não está disponível para contas de clientes',
  QUERY_TOO_COMPLEX: 'A consulta é complexa demais.',
  KEY_SCOPE_MISSING: 'Falta a esta chave uma permissão de que a solicitação precisa.',
  FORBIDDEN: 'Isto não está disponível.',
  CUSTOMER_REQUIRED: 'Esta operação precisa do cabeçalho X-Platform-Customer-GID.',
  PLATFORM_UNAVAILABLE: 'A plataforma da loja não responde agora. Tente de novo.',
  STORE_DISCONNECTED: 'A loja retirou o seu acesso. O lojista precisa conectá-la de novo.',
  STORE_ACCESS_MISSING: 'A loja não oferece isto no momento. A própria loja pode dizer mais.',
  OUTCOME_UNKNOWN: 'A resposta se perdeu e a alteração pode ter sido feita: confira antes de tentar de novo.',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'A primeira solicitação com esta chave não terminou, ou ainda não se sabe como. Pergunte de novo com a mesma chave.',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'Esta chave foi usada para outros argumentos nas últimas 24 horas. Dê a cada alteração uma chave própria.',
  NOT_RUN: 'Isto não foi executado, porque uma operação anterior não terminou.',

  // The contract.
  contractUnknown: 'Esta assinatura não existe.',
  contractEnded: 'A assinatura terminou.',
  contractPaused: 'A assinatura está pausada.',
  contractChangedMeanwhile: 'Enquanto isso, outra pessoa alterou a assinatura. {detail}',
  readAndTryAgain: 'Recarregue-a e tente de novo.',
  futureEdits:
    'Um pedido futuro foi editado separadamente. As alterações da assinatura esperam até que essa edição seja removida.',
  futureEditsOn:
    'Um pedido futuro foi editado separadamente: o de {day, date, long}. As alterações da assinatura esperam até que essa edição seja removida.',
  minimumNotReached:
    'A assinatura exige {minimum, plural, one {# pedido} other {# pedidos}} antes de poder ser cancelada; até agora {made, plural, one {houve #} other {houve #}}.',

  // What is sent.
  changeNotAccepted: 'A loja não aceitou esta alteração. A própria loja pode dizer mais.',
  partNotAccepted:
    'Isto não foi aceito: {part, select, STREET {a rua} CITY {a cidade} COMPANY {a empresa} COUNTRY {o país} NAME {o nome} PHONE {o número de telefone} PROVINCE {o estado ou a província} ZIP {o código postal} other {um dado}}. Confira e tente de novo.',
  valueNotTaken:
    'A loja não aceitou um valor desta solicitação. Se ele indica onde começa uma página, comece pela primeira página.',
  answerMissing: 'Falta esta parte da resposta: a loja não a forneceu.',
  datePassed: 'A data já passou. Escolha uma posterior.',
  dateTooFar: 'A data está a mais de um ano de hoje. Escolha uma anterior.',
  listTooLong: 'A lista tem mais de {most, plural, one {# item} other {# itens}}.',
  textTooLong: 'O texto tem mais de {most, plural, one {# caractere} other {# caracteres}}.',

  // Orders.
  orderUnknown: 'A assinatura não tem esse pedido.',
  orderPlaced: 'Este pedido já foi feito: não pode mais ser alterado.',
  orderSkipMissing: 'Informe se o pedido é pulado: true o pula, false desfaz isso.',
  orderSkippedBeforeMove: 'O pedido está pulado: desfaça isso antes de movê-lo.',
  orderBeingBilled: 'Este pedido está sendo cobrado: só pode ser alterado depois disso.',
  orderTimeOver: 'O período deste pedido já passou: não pode mais ser movido.',
  orderMovableWithin:
    'O pedido pode ser movido para um dia entre {first, date, long} e {last, date, long}, dentro do próprio período.',
  orderDateChanged: 'A data deste pedido mudou: agora é {day, date, long}. Confira antes de continuar.',
  orderDatePassed: 'A data deste pedido já passou: ele fica como está.',
  orderTooClose:
    'Há um pedido previsto para menos de {hours, plural, one {# hora} other {# horas}}, em {day, date, long}. Altere a frequência depois dele.',
  noOrderOnDate: 'Não pode haver pedido nessa data: o desse período está pago, ou há pedidos demais antes.',
  nextOrderTooFar:
    'O próximo pedido é em {day, date, long}, e com esta frequência haveria pedidos demais antes dele. Escolha uma frequência menor.',
  editDatePassed: 'A data já passou.',
  editNoOrderThatDay: 'Com a nova frequência, nenhum pedido cai nesse dia.',
  editNoOrderCovers: 'Com a nova frequência, nenhum pedido abrange essa data.',
  editPlaceTaken: 'O pedido da nova frequência que abrange essa data já tem outra edição.',
  editRefused: 'A loja não aceitou.',

  // Charging.
  billingCycleUnknown: 'A assinatura não tem esse ciclo de cobrança.',
  billingCycleTooFarAhead: 'O pedido está a mais de um ano de hoje.',
  billingCycleBilled: 'O ciclo de cobrança já foi cobrado.',
  billingCycleSkipped: 'O ciclo de cobrança está pulado.',
  billingFailedTooOften:
    'A cobrança falhou {times, plural, one {# vez} other {# vezes}}: este pedido não é mais cobrado.',
  cycleIndexOrDate: 'Informe index ou date, e não os dois.',
  idempotencyKeyBlank: 'A chave de idempotência está vazia.',
  idempotencyKeyUsed:
    'Outro pedido foi cobrado com esta chave de idempotência. Dê a cada cobrança uma chave própria.',

  // Lines.
  lineUnknown: 'A assinatura não tem essa linha.',
  lineTwice: 'Esta linha foi informada duas vezes.',
  lineLast: 'Uma assinatura mantém pelo menos um produto.',
  linesFull: 'A assinatura tem todas as linhas que pode ter: retire uma primeiro.',
  linesTooManyToRead: 'A assinatura tem mais de {limit, number} linhas. Peça à loja que a altere.',
  goodsWithoutPrice: 'Depois desta alteração, {product} não custaria nada. Peça à loja que a faça.',
  goodsWithoutPriceByCode:
    'Depois desta alteração, {product} não custaria nada com o código de desconto. Remova primeiro o código ou fale com a loja.',
  lineLastPaid: 'Uma assinatura mantém pelo menos um produto pago.',
  linesNothingAsked: 'Nada foi pedido: informe add, update ou remove.',
  linesTooMany: 'Em uma alteração não cabem mais de {most, plural, one {# linha} other {# linhas}}.',
  linesAndDiscountsTooMany:
    'Em uma alteração não cabem mais de {most, plural, one {# linha} other {# linhas}} e descontos que saem com elas: remova menos linhas.',
  variantsTooMany:
    'Em uma alteração não cabem mais de {most, plural, one {# nova variante} other {# novas variantes diferentes}}.',
  variantTwice: 'Esta variante foi informada duas vezes.',
  variantOnSubscription: 'A assinatura já tem esta variante: altere a quantidade da linha dela.',
  variantNotForSale: 'Esta variante não está à venda nesta assinatura.',
  variantNotUnderPlan: 'A variante não é vendida neste plano.',
  planDiffers: 'O plano tem outra frequência, outros dias ou outros limites que a assinatura.',
  productGiven:
    'A loja dá este produto, ou parte do preço, de presente: só a loja pode aumentá-lo ou trocá-lo por outro. Para comprar mais, adicione-o.',
  quantityRange: 'Uma quantidade vai de {least, number} a {most, number}.',
  pricesInOtherCurrency:
    'A assinatura está em {currency}, os preços dos produtos não: só é possível alterar quantidades e remover linhas.',

  // The interval.
  intervalOrPlanMissing: 'Informe uma frequência, um plano de venda ou os dois.',
  discountTiedToDate:
    'As entregas estão pagas até {day, date, long}, e a loja dá um produto ou um desconto em cada uma. Escolha uma data posterior ou não indique a data.',
  discountTiedToInterval:
    'A loja dá um produto ou um desconto em cada entrega. Peça à loja uma frequência maior.',
  intervalCountRange:
    'Nesta unidade, o número de uma frequência vai de {least, number} a {most, number}: três anos no máximo.',
  intervalNotOffered: 'Nem todos os produtos da assinatura são vendidos {rhythm}. {offered}',
  intervalsOffered: 'Opções: {intervals}.',
  intervalsNone: 'Nenhuma frequência é oferecida para todos.',
  offeredInterval: '“{plan}” ({rhythm})',
  planUnknown: 'Esse plano de venda não existe.',
  planMissing: 'Um produto da assinatura não tem plano de venda: só a loja pode alterar a frequência dele.',
  planDoesNotRepeat: 'O plano de venda não se repete.',
  planBillsOtherwise: 'O plano de venda cobra {rhythm}. Deixe um dos dois de fora.',
  planEnds: 'O plano termina sozinho. {offered}',
  planOfNoProduct: 'Nenhum produto da assinatura é vendido neste plano. {offered}',
  planNotForAll: 'Nem todos os produtos da assinatura são vendidos nas condições deste plano. {offered}',
  plansSeveral: 'Há vários planos {rhythm}: {plans}. Informe um deles como sellingPlanId.',
  quotedName: '“{name}”',
  planUneven: 'Um pagamento do plano de venda não corresponde a um número inteiro de entregas.',
  subscriptionUneven:
    'Um pagamento da assinatura não corresponde a um número inteiro de entregas. Informe um plano de venda.',
  paymentUneven: 'Um pagamento não corresponderia a um número inteiro de entregas.',
  deliveriesUneven:
    'Um pagamento cobre {deliveries, plural, one {# entrega} other {# entregas}}, que não podem ser distribuídas por igual com um pedido {rhythm}.',
  pricesInStoreCurrency: 'A assinatura não está na moeda da loja, na qual o plano tem os seus preços.',
  priceUnknownUnderPlan: 'Não é possível determinar o preço de um produto no plano “{plan}”. Escolha outro.',
  priceUnknownAtInterval: 'Não é possível determinar o preço de um produto nesta frequência. Escolha outra.',
  anchorsDoNotFit: 'Estes dias fixos não combinam com um pedido {rhythm}: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {cobrança} other {entrega}} {day, select, 1 {na segunda-feira} 2 {na terça-feira} 3 {na quarta-feira} 4 {na quinta-feira} 5 {na sexta-feira} 6 {no sábado} 7 {no domingo} other {em um dia da semana}}',
  anchorOnMonthday: '{policy, select, BILLING {cobrança} other {entrega}} no dia {day, number} do mês',
  anchorOnYearday:
    '{policy, select, BILLING {cobrança} other {entrega}} no dia {day, number} do mês {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {a cada dia} other {a cada # dias}}} WEEK {{count, plural, one {a cada semana} other {a cada # semanas}}} MONTH {{count, plural, one {a cada mês} other {a cada # meses}}} YEAR {{count, plural, one {a cada ano} other {a cada # anos}}} other {em outro ritmo}}',
  rhythmWithDeliveries: '{rhythm} com {deliveries, plural, one {# entrega} other {# entregas}}',

  // Delivery.
  deliveryOneKind: 'Informe exatamente um entre shipping, localDelivery e pickupLocationId.',
  deliveryPhoneMissing: 'A entrega local precisa de um número para o qual o entregador possa ligar.',
  deliveryLocalOnly: 'Isto é só para a entrega local.',
  deliveryCountryMissing: 'Falta o país no endereço.',
  deliveryNotThere: 'A loja não entrega nesse lugar.',
  deliveryNotThisWay: 'A loja não entrega nesse lugar desta forma.',
  deliverySeveralWays: 'Há várias formas de entrega: {ways}. Escolha uma pelo código.',
  deliveryWayUnknown: 'Não há forma de entrega com esse código. Há: {ways}. Escolha uma delas.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency: 'A loja informa o preço da entrega em outra moeda que a da assinatura.',
  deliveryWayGone:
    'A forma de entrega atual não está disponível para estes produtos. Há: {ways}. Escolha uma delas.',
  deliveryNotForGoods:
    'A loja não entrega estes produtos desta forma. Altere as quantidades, escolha antes outra forma de entrega ou fale com a loja.',
  deliveryMoreExpensive:
    'A loja oferece esta entrega. Só a loja pode escolher uma forma de entrega mais cara.',
  deliveryPriceUnknown:
    'Isto mudaria a forma de entrega ou o seu preço, e um pagamento desta assinatura cobre várias entregas. Escolha antes um plano pago a cada entrega ou fale com a loja.',
  pickupNeedsAddress: 'O que pode ser retirado depende de um endereço, e não há nenhum salvo.',
  pickupUnavailable: 'Não é possível escolher uma retirada aqui. A loja pode dizer mais.',
  pickupNotGranted:
    'A loja não concedeu read_locations a este serviço: sem isso não é possível escolher uma retirada.',

  // Discounts and payment.
  discountUnknown: 'A assinatura não tem esse desconto.',
  codeMissing: 'Nenhum código foi informado.',
  codeUnknown: 'Esse código não existe.',
  codeNotActive: 'O código não está ativo no momento.',
  codeNotForCustomer: 'O código não é para esta conta de cliente.',
  codeUsedByCustomer: 'Com esta conta de cliente o código já foi usado quantas vezes permite.',
  codeUsedUp: 'O código já foi usado quantas vezes permite.',
  codeAlreadyUsed:
    'Este código já foi usado nesta assinatura e depois removido. Só a loja pode aplicá-lo de novo.',
  codeNotForSubscriptions: 'O código não é para assinaturas.',
  codeNotForProducts: 'O código não é para nenhum dos produtos desta assinatura.',
  codeNotForDelivery: 'O código não é para esta forma de entrega.',
  codeNotForAmount: 'O pedido custa pouco demais ou muito demais para o código.',
  codeNotForCount: 'O pedido tem itens de menos ou de mais para o código.',
  codeDoesNotApply: 'O código não se aplica.',
  codesTried:
    'Códigos demais não se aplicaram. Tente de novo em {minutes, plural, one {# minuto} other {# minutos}}.',
  paymentMethodUnknown: 'Essa forma de pagamento não existe.',
  paymentMethodOfOther: 'A forma de pagamento não é da conta de cliente da assinatura.',
  paymentMethodRevoked: 'A forma de pagamento foi revogada.',
  paymentEmailSent:
    'Um e-mail sobre esta forma de pagamento foi enviado há pouco. Tente de novo em {minutes, plural, one {# minuto} other {# minutos}}.',

  // Sign-ins.
  webhookEndpointUnknown: 'Esse endpoint não existe. Consulte a lista para ver os ids.',
  webhookDeliveryUnknown:
    'Esse evento não existe mais neste endpoint. Consulte a lista de entregas para ver os ids.',
  webhookEndpointsTooMany:
    'Uma loja tem no máximo {most, plural, one {# endpoint} other {# endpoints}}. Exclua um primeiro.',
  webhookReplaysTooMany:
    'Repetições demais foram pedidas em uma hora. Tente de novo em {minutes, plural, one {# minuto} other {# minutos}}.',
  webhookResendsTooMany:
    'Hoje já foram pedidos tantos eventos um a um: {most, plural, one {#} other {#}}. Peça uma repetição em vez disso.',
  webhookTypesEmpty: 'Informe pelo menos um tipo ou omita os tipos: então todos são enviados.',
  webhookSinceRange:
    'O que aconteceu nos últimos 30 dias pode ser enviado de novo. Escolha um momento desse período.',
  webhookChangedMeanwhile:
    'O endpoint foi alterado por outra pessoa nesse meio-tempo. Leia-o e tente de novo.',
  webhookTestedOften:
    'Um endpoint acabou de ser testado. Tente de novo em {seconds, plural, one {# segundo} other {# segundos}}.',
  webhookUrlInvalid: 'Isto não é uma URL. Informe uma completa, como https://example.com/webhooks.',
  webhookUrlNotHttps: 'Os eventos são enviados somente por https. Informe uma URL que comece com https://.',
  webhookUrlUser: 'A URL não pode conter usuário nem senha. A assinatura mostra quem envia.',
  webhookUrlPort: 'Os eventos são enviados somente para a porta 443. Omita a porta.',
  webhookUrlNotPublic: 'O endereço não é público: nenhum evento é enviado a ele.',
  webhookUrlUnresolved: 'O nome na URL não leva a nenhum endereço. Corrija-o ou tente mais tarde.',
  sessionUnknown: 'Esse login não existe. Consulte a lista para ver os ids.',
  sessionsNoOthers: 'Só um cliente que fez login tem outros. Encerre cada login com customerSessionRevoke.',
  sessionReplaced: 'Este token de acesso foi substituído por um novo. Pergunte de novo com o novo.',
  sessionsEndedOften:
    'Um login pode encerrar outros mais novos três vezes por hora. Poderá de novo em {minutes, plural, one {# minuto} other {# minutos}}; um novo login pode encerrar este na hora.',

  // Who acted, in the timeline.
  whoYou: 'Você',
  whoCustomer: 'Um cliente',
  whoTheCustomer: 'O cliente',
  whoCustomerThrough: 'O cliente, por meio de <b>{key}</b>,',
  whoStore: 'A loja',
  whoKey: '<b>{key}</b>',
  whoService: 'O serviço de assinaturas',
  whoElsewhere: 'Alguém de fora deste serviço',

  // What was done.
  billing_cycle_skipped: '{who} pulou {order}.',
  billing_cycle_unskipped: '{who} restaurou {order}.',
  billing_cycle_rescheduled: '{who} moveu {order}.',
  billing_cycle_rescheduled_to: '{who} moveu {order} para {day, date, long}.',
  billing_cycle_charged: '{who} cobrou {order}.',
  billing_cycle_declined: '{who} tentou cobrar {order}, mas {why}.',
  billing_cycle_action_required: '{who} tentou cobrar {order}, e o pagamento precisa ser confirmado.',
  billing_cycle_edited: '{who} alterou somente {order}.',
  billing_cycle_edits_deleted: '{who} desfez as alterações de pedidos avulsos.',
  billing_cycles_charged: '{who} começou a cobrar os pedidos de muitas assinaturas.',
  subscription_created: '{who} criou a assinatura.',
  subscription_paused: '{who} pausou a assinatura.',
  subscription_paused_until: '{who} pausou a assinatura até {day, date, long}.',
  subscription_resumed: '{who} retomou a assinatura.',
  subscription_resumed_on: '{who} retomou a assinatura, com o próximo pedido em {day, date, long}.',
  subscription_cancelled: '{who} cancelou a assinatura.',
  subscription_expired: '{who} encerrou a assinatura.',
  subscription_failed: '{who} marcou a assinatura como falha.',
  subscription_updated: '{who} alterou a assinatura.',
  subscription_lines_updated: '{who} alterou os produtos.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} alterou a frequência dos pedidos.',
  subscription_interval_updated_to: '{who} alterou a frequência dos pedidos: {rhythm}.',
  subscription_interval_updated_apart:
    '{who} alterou a frequência dos pedidos: {delivered}, com pagamento {paid}.',
  subscription_next_billing_date_updated: '{who} definiu a data do próximo pedido.',
  subscription_next_billing_date_updated_to: '{who} definiu a data do próximo pedido para {day, date, long}.',
  subscription_delivery_updated: '{who} alterou a entrega.',
  subscription_payment_method_updated: '{who} alterou a forma de pagamento.',
  payment_method_replaced: '{who} alterou os dados da forma de pagamento.',
  payment_method_removed: '{who} removeu a forma de pagamento.',
  subscription_discount_applied: '{who} aplicou um desconto.',
  subscription_discount_applied_code: '{who} aplicou o código de desconto <b>{code}</b>.',
  subscription_discount_removed: '{who} removeu um desconto.',
  subscription_note_updated: '{who} alterou a observação.',
  customer_address_updated: '{who} alterou um endereço da lista de endereços; a assinatura mantém o dela.',
  payment_method_update_email_sent: '{who} pediu um e-mail para atualizar a forma de pagamento.',
  webhook_endpoint_disabled:
    '{who} parou de enviar eventos para um endpoint de webhook: ele não os aceitava.',
  somethingDone: '{who} fez uma alteração ({action}).',
  outcomeUnknown: 'Não se sabe se isto teve efeito.',

  // Which order.
  orderOfDay: 'o pedido de {day, date, long}',
  orderOfNumber: 'o pedido nº {number, number}',
  orderOfNobodyKnows: 'um pedido',

  // What became of lines.
  linesAdded: 'adicionou {products}',
  lineRemoved: 'removeu {product}',
  lineSwapped: 'trocou {before} por {after}',
  lineQuantityChanged: 'alterou a quantidade de {product} de {before} para {after}',
  lineDiscountRemoved: 'removeu o desconto {title}',
  lineSomeDiscountRemoved: 'removeu um desconto',
  linesMore: 'fez {count, plural, one {mais # alteração} other {mais # alterações}}',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: 'o pagamento precisa ser confirmado com o banco',
  declinedStock: 'algo nele está esgotado',
  declinedStore: 'a loja precisa verificar',
  declinedLater: 'o pagamento foi recusado; pode ser tentado de novo mais tarde',
  declinedMethod: 'a forma de pagamento ou o endereço de cobrança dela precisa ser atualizado',
  declinedOtherMethod: 'é preciso outra forma de pagamento',
  declinedPaid: 'ele já estava pago',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {Custa caro demais.} TOO_MUCH_PRODUCT {É produto demais.} NOT_NEEDED {Não é mais necessário.} QUALITY {O produto não é bom o bastante.} DELIVERY {A entrega não funciona.} MOVED {Mudança de endereço.} SWITCHED {Outra coisa é comprada no lugar.} TEMPORARY {Só por um tempo.} other {}}',
};
