/** What customers read, in Japanese, in polite form (です・ます). en.ts says how the texts are read. */
import type { Texts } from './texts.ts';

export const ja: Texts = {
  // The error catalogue.
  NOT_FROM_EDGE: 'このアドレスはクライアント用ではありません。サービスの公開アドレスをご利用ください。',
  NOT_FOUND: 'このアドレスには何もありません。パスをご確認ください。',
  METHOD_NOT_ALLOWED: 'このアドレスでは別のメソッドをご利用ください。Allow ヘッダーをご確認ください。',
  PAYLOAD_TOO_LARGE: 'リクエストの本文が大きすぎます。',
  UNSUPPORTED_MEDIA_TYPE: '本文は JSON で、Content-Type: application/json を付けて送信してください。',
  INVALID_JSON: '本文は JSON オブジェクトでなければなりません。',
  TEMPORARILY_UNAVAILABLE: '現在サービスが応答できません。失われたものはありません。もう一度お試しください。',
  INTERNAL_ERROR:
    'サービス側で問題が発生しました。お問い合わせの際はリクエスト番号（request id）をお知らせください。',
  MISSING_SHOP: 'フィールド "shop"（ストアのドメイン）は必須です。',
  MISSING_PARAMETERS: '必須フィールドがないか、空か、長すぎるか、型が違います。',
  INVALID_SHOP: 'フィールド "shop" はストアのドメインではありません。',
  INVALID_NONCE: 'このログインは不明か、期限切れか、使用済みです。ログインを最初からやり直してください。',
  SIGN_IN_REJECTED:
    'プラットフォームがこのログインを受け付けませんでした。ログインを最初からやり直してください。',
  SHOP_NOT_INSTALLED: 'このストアにはサービスがインストールされていません。',
  CLIENT_ID_NOT_CONFIGURED: 'このストアではお客様のログインが設定されていません。',
  STOREFRONT_TOKEN_UNAVAILABLE:
    'このストアにはアプリ用の Storefront トークンがありません。詳しくはストアにお問い合わせください。',
  INVALID_REFRESH_TOKEN: 'リフレッシュトークンはもう有効ではありません。もう一度ログインしてください。',
  TOKEN_NOT_FOUND: 'このお客様のログインは保存されていません。ログインしてください。',
  THROTTLED: 'リクエストが多すぎます。Retry-After の時間だけ待ってから、もう一度お試しください。',
  WRONG_STORE_DOMAIN:
    'このリンクは、そのドメインのストアのものではありません。リンクの対象となるストアのドメインを入力してください。',
  LINK_GONE: 'このリンクはもう開けません。新しいリンクを依頼してください。',
  UNAUTHENTICATED: 'ログインが必要です',
  INVALID_CUSTOMER_GID:
    'ヘッダー X-Platform-Customer-GID は gid://platform/Customer/123 のような顧客 ID でなければなりません。',
  GRAPHQL_PARSE_FAILED: 'このドキュメントは有効な GraphQL ではありません。',
  GRAPHQL_VALIDATION_FAILED: 'このドキュメントはスキーマに合いません。',
  FIELD_NOT_AVAILABLE: 'このフィールドは顧客アカウントでは利用できません',
  QUERY_TOO_COMPLEX: 'クエリが複雑すぎます。',
  KEY_SCOPE_MISSING: 'このキーには、リクエストに必要な権限がありません。',
  FORBIDDEN: 'これは利用できません。',
  CUSTOMER_REQUIRED: 'この操作にはヘッダー X-Platform-Customer-GID が必要です。',
  PLATFORM_UNAVAILABLE: '現在ストアのプラットフォームが応答していません。もう一度お試しください。',
  STORE_DISCONNECTED: 'ストアがアクセスを取り消しました。ストア側で接続し直す必要があります。',
  STORE_ACCESS_MISSING: 'ストアは現在これを提供していません。詳しくはストアにお問い合わせください。',
  OUTCOME_UNKNOWN: '応答が失われましたが、変更は行われた可能性があります。もう一度試す前にご確認ください。',
  IDEMPOTENCY_CONCURRENT_REQUEST:
    'このキーの最初のリクエストが終わっていないか、結果がまだわかりません。同じキーでもう一度お試しください。',
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'このキーは過去 24 時間以内に別の引数で使われました。変更ごとに別のキーをお使いください。',
  NOT_RUN: '前の操作が完了しなかったため、これは実行されませんでした。',

  // The contract.
  contractUnknown: 'この定期購入は存在しません。',
  contractEnded: 'この定期購入は終了しています。',
  contractPaused: 'この定期購入は一時停止中です。',
  contractChangedMeanwhile: 'その間に別の人が定期購入を変更しました。{detail}',
  readAndTryAgain: '読み込み直して、もう一度お試しください。',
  futureEdits: '今後の注文の一つが個別に編集されています。その編集がなくなるまで、定期購入は変更できません。',
  futureEditsOn:
    '今後の注文の一つ（{day, date, long}）が個別に編集されています。その編集がなくなるまで、定期購入は変更できません。',
  minimumNotReached:
    'この定期購入を解約できるのは {minimum, plural, other {# 回}}の注文の後です。これまでの注文は {made, plural, other {# 回}}です。',

  // What is sent.
  changeNotAccepted: 'ストアがこの変更を受け付けませんでした。詳しくはストアにお問い合わせください。',
  partNotAccepted:
    '{part, select, STREET {番地} CITY {市区町村} COMPANY {会社名} COUNTRY {国} NAME {お名前} PHONE {電話番号} PROVINCE {都道府県} ZIP {郵便番号} other {入力内容}}が受け付けられませんでした。ご確認のうえ、もう一度お試しください。',
  valueNotTaken:
    'リクエストの値がストアで受け付けられませんでした。ページの開始位置を示す値の場合は、最初のページから始めてください。',
  answerMissing: '回答のこの部分はストアから得られませんでした。',
  datePassed: 'その日付は過ぎています。後の日付をお選びください。',
  dateTooFar: 'その日付は 1 年より先です。前の日付をお選びください。',
  listTooLong: 'リストが {most, plural, other {# 件}}を超えています。',
  textTooLong: '文章が {most, plural, other {# 文字}}を超えています。',

  // Orders.
  orderUnknown: 'この定期購入にその注文はありません。',
  orderPlaced: 'この注文はすでに確定しているため、変更できません。',
  orderSkipMissing: '注文をスキップするかどうかを指定してください。true でスキップし、false で取り消します。',
  orderSkippedBeforeMove: 'この注文はスキップされています。日付を変える前に、スキップを取り消してください。',
  orderBeingBilled: 'この注文は現在、請求を処理しています。終わるまで変更できません。',
  orderTimeOver: 'この注文の期間は過ぎているため、日付を変更できません。',
  orderMovableWithin:
    'この注文の日付は、その期間内の {first, date, long}から{last, date, long}までの日に変更できます。',
  orderDateChanged: 'この注文の日付は {day, date, long}に変わりました。続ける前にもう一度ご確認ください。',
  orderDatePassed: 'この注文の日付は過ぎているため、このままになります。',
  orderTooClose:
    '{hours, plural, other {# 時間}}以内に注文の予定があります（{day, date, long}）。間隔はその後に変更してください。',
  noOrderOnDate:
    'その日付に注文を入れることはできません。その期間の注文が支払い済みか、それより前の注文が多すぎます。',
  nextOrderTooFar:
    '次の注文は{day, date, long}です。この間隔では、それより前の注文が多すぎます。より長い間隔を選んでください。',
  editDatePassed: 'その日付は過ぎています。',
  editNoOrderThatDay: '新しい間隔では、その日に注文がありません。',
  editNoOrderCovers: '新しい間隔では、その日付を含む注文がありません。',
  editPlaceTaken: 'その日付を含む新しい間隔の注文には、すでに別の編集があります。',
  editRefused: 'ストアが受け付けませんでした。',

  // Charging.
  billingCycleUnknown: 'この定期購入にその請求期間はありません。',
  billingCycleTooFarAhead: 'その注文は 1 年より先です。',
  billingCycleBilled: 'その請求期間は請求済みです。',
  billingCycleSkipped: 'その請求期間はスキップされています。',
  billingFailedTooOften: '請求が {times, plural, other {# 回}}失敗したため、この注文はもう請求されません。',
  cycleIndexOrDate: 'index と date のどちらか一方だけを指定してください。',
  idempotencyKeyBlank: '冪等キーが空です。',
  idempotencyKeyUsed: 'この冪等キーでは別の注文が請求されています。請求ごとに別のキーをお使いください。',

  // Lines.
  lineUnknown: 'この定期購入にその明細はありません。',
  lineTwice: 'この明細が 2 回指定されています。',
  lineLast: '定期購入には少なくとも 1 つの商品が必要です。',
  linesFull: '定期購入の明細は上限に達しています。先に一つ外してください。',
  linesTooManyToRead: '定期購入の明細が {limit, number} 件を超えています。変更はストアにご依頼ください。',
  goodsWithoutPrice: 'この変更を行うと、{product} が無料になります。変更はストアにご依頼ください。',
  goodsWithoutPriceByCode:
    'この変更を行うと、割引コードにより {product} が無料になります。先にコードを削除するか、ストアにお問い合わせください。',
  lineLastPaid: '定期購入には少なくとも 1 つの有料の商品が必要です。',
  linesNothingAsked: '何も指定されていません。add、update、remove のいずれかを指定してください。',
  linesTooMany: '1 回の変更に指定できる明細は {most, plural, other {# 件}}までです。',
  linesAndDiscountsTooMany:
    '1 回の変更に指定できる明細と、それに伴う割引は {most, plural, other {# 件}}までです。削除する明細を減らしてください。',
  variantsTooMany: '1 回の変更に指定できる新しいバリエーションは {most, plural, other {# 種類}}までです。',
  variantTwice: 'このバリエーションが 2 回指定されています。',
  variantOnSubscription:
    'このバリエーションはすでに定期購入に含まれています。その明細の数量を変更してください。',
  variantNotForSale: 'このバリエーションは、この定期購入では販売されていません。',
  variantNotUnderPlan: 'このバリエーションは、このプランでは販売されていません。',
  planDiffers: 'このプランは、定期購入と間隔、日、または上限が異なります。',
  productGiven:
    'この商品、またはその価格の一部はストアからの贈り物です。数量を増やすことや別の商品への変更は、ストアだけができます。さらに購入するには、商品を追加してください。',
  quantityRange: '数量は {least, number} から {most, number} までです。',
  pricesInOtherCurrency:
    '定期購入は {currency} ですが、商品の価格は別の通貨です。数量の変更と明細の削除だけができます。',

  // The interval.
  intervalOrPlanMissing: '間隔か販売プラン、またはその両方を指定してください。',
  discountTiedToDate:
    '配送は{day, date, long}まで支払い済みで、ストアは配送のたびに商品または割引を提供しています。それより後の日付を選ぶか、日付を指定しないでください。',
  discountTiedToInterval:
    'ストアは配送のたびに商品または割引を提供しています。間隔を短くするには、ストアにご依頼ください。',
  intervalCountRange: 'この単位の間隔の数は {least, number} から {most, number} まで（最長 3 年）です。',
  intervalNotOffered: '定期購入の商品の中に、{rhythm}では販売されていないものがあります。{offered}',
  intervalsOffered: '選べるもの：{intervals}。',
  intervalsNone: 'すべての商品に共通して選べる間隔はありません。',
  offeredInterval: '「{plan}」（{rhythm}）',
  planUnknown: 'その販売プランは存在しません。',
  planMissing: '定期購入の商品の一つに販売プランがないため、間隔の変更はストアだけができます。',
  planDoesNotRepeat: 'その販売プランは繰り返しではありません。',
  planBillsOtherwise: 'その販売プランの請求は{rhythm}です。どちらか一方を省いてください。',
  planEnds: 'そのプランは自動的に終了します。{offered}',
  planOfNoProduct: '定期購入の商品は、どれもこのプランでは販売されていません。{offered}',
  planNotForAll: '定期購入の商品の中に、このプランの条件では販売されていないものがあります。{offered}',
  plansSeveral:
    '{rhythm}のプランは複数あります：{plans}。そのうちの一つを sellingPlanId に指定してください。',
  quotedName: '「{name}」',
  planUneven: '販売プランの 1 回の支払いが、整数回の配送に対応していません。',
  subscriptionUneven:
    '定期購入の 1 回の支払いが、整数回の配送に対応していません。販売プランを指定してください。',
  paymentUneven: '1 回の支払いが、整数回の配送に対応しなくなります。',
  deliveriesUneven:
    '1 回の支払いは配送 {deliveries, plural, other {# 回}}分ですが、注文が{rhythm}では均等に分けられません。',
  pricesInStoreCurrency: '定期購入の通貨が、プランの価格に使われているストアの通貨と異なります。',
  priceUnknownUnderPlan: 'プラン「{plan}」での商品の価格を決められません。別のプランをお選びください。',
  priceUnknownAtInterval: 'この間隔での商品の価格を決められません。別の間隔をお選びください。',
  anchorsDoNotFit: '次の決まった日は、{rhythm}の注文に合いません：{anchors}。',
  anchorOnWeekday:
    '{policy, select, BILLING {請求} other {配送}}は{day, select, 1 {月曜日} 2 {火曜日} 3 {水曜日} 4 {木曜日} 5 {金曜日} 6 {土曜日} 7 {日曜日} other {決まった曜日}}',
  anchorOnMonthday: '{policy, select, BILLING {請求} other {配送}}は毎月 {day, number} 日',
  anchorOnYearday: '{policy, select, BILLING {請求} other {配送}}は {month, number} 月 {day, number} 日',
  rhythm:
    '{interval, select, DAY {{count, plural, =1 {毎日} other {# 日ごと}}} WEEK {{count, plural, =1 {毎週} other {# 週間ごと}}} MONTH {{count, plural, =1 {毎月} other {# か月ごと}}} YEAR {{count, plural, =1 {毎年} other {# 年ごと}}} other {別の間隔}}',
  rhythmWithDeliveries: '{rhythm}、配送 {deliveries, plural, other {# 回}}',

  // Delivery.
  deliveryOneKind: 'shipping、localDelivery、pickupLocationId のうち一つだけを指定してください。',
  deliveryPhoneMissing: '地域配送には、配達員が電話できる番号が必要です。',
  deliveryLocalOnly: 'これは地域配送の場合だけ指定できます。',
  deliveryCountryMissing: '住所に国がありません。',
  deliveryNotThere: 'ストアはその場所への配送を行っていません。',
  deliveryNotThisWay: 'ストアはその場所へのこの方法での配送を行っていません。',
  deliverySeveralWays: '配送方法が複数あります：{ways}。コードで一つお選びください。',
  deliveryWayUnknown: 'そのコードの配送方法はありません。選べるもの：{ways}。この中から一つお選びください。',
  deliveryWay: '{title}（{price, number, money}）',
  deliveryInOtherCurrency: 'ストアの配送料の通貨が、定期購入の通貨と異なります。',
  deliveryWayGone:
    '現在の配送方法はこれらの商品には利用できません。選べるもの：{ways}。この中から一つお選びください。',
  deliveryNotForGoods:
    'ストアはこれらの商品をこの方法で配送していません。数量を変更するか、先に別の配送方法を選ぶか、ストアにお問い合わせください。',
  deliveryMoreExpensive:
    'この配送はストアの負担で無料になっています。より高い配送方法はストアだけが選べます。',
  deliveryPriceUnknown:
    'この変更を行うと配送方法またはその料金が変わりますが、この定期購入の 1 回の支払いは複数回の配送分です。先に配送ごとに支払うプランを選ぶか、ストアにお問い合わせください。',
  pickupNeedsAddress: '受け取れる場所は住所によって決まりますが、住所が登録されていません。',
  pickupUnavailable: 'ここでは店頭受取を選べません。詳しくはストアにお問い合わせください。',
  pickupNotGranted: 'ストアがこのサービスに read_locations を許可していないため、店頭受取を選べません。',

  // Discounts and payment.
  discountUnknown: 'この定期購入にその割引はありません。',
  codeMissing: 'コードが指定されていません。',
  codeUnknown: 'そのコードは存在しません。',
  codeNotActive: 'そのコードは現在有効ではありません。',
  codeNotForCustomer: 'そのコードはこの顧客アカウントでは使えません。',
  codeUsedByCustomer: 'この顧客アカウントでは、そのコードを上限の回数まで使用しています。',
  codeUsedUp: 'そのコードは上限の回数まで使用されています。',
  codeAlreadyUsed:
    'このコードはこの定期購入ですでに使用され、その後削除されました。再度適用できるのはストアだけです。',
  codeNotForSubscriptions: 'そのコードは定期購入には使えません。',
  codeNotForProducts: 'そのコードは、この定期購入のどの商品にも使えません。',
  codeNotForDelivery: 'そのコードは、この配送方法では使えません。',
  codeNotForAmount: '注文の金額が、そのコードの条件に合いません。',
  codeNotForCount: '注文の商品数が、そのコードの条件に合いません。',
  codeDoesNotApply: 'そのコードは適用できません。',
  codesTried: '適用できないコードが多すぎます。{minutes, plural, other {# 分}}後にもう一度お試しください。',
  paymentMethodUnknown: 'そのお支払い方法は存在しません。',
  paymentMethodOfOther: 'そのお支払い方法は、定期購入の顧客アカウントのものではありません。',
  paymentMethodRevoked: 'そのお支払い方法は取り消されています。',
  paymentEmailSent:
    'このお支払い方法についてのメールは先ほど送信されました。{minutes, plural, other {# 分}}後にもう一度お試しください。',

  // Sign-ins.
  webhookEndpointUnknown: 'このエンドポイントは存在しません。一覧で ID をご確認ください。',
  webhookDeliveryUnknown:
    'このイベントは、このエンドポイントにはもうありません。配信の一覧で ID をご確認ください。',
  webhookEndpointsTooMany:
    '1 つのストアのエンドポイントは最大 {most, plural, other {# 件}}です。先に 1 件を削除してください。',
  webhookReplaysTooMany:
    '1 時間以内の一括再送のご利用が多すぎます。{minutes, plural, other {# 分}}後にもう一度お試しください。',
  webhookResendsTooMany:
    '本日は {most, plural, other {# 件}}のイベントが個別に再送されています。代わりに一括の再送をご利用ください。',
  webhookTypesEmpty: '種類を 1 つ以上指定するか、指定を省略してください。省略するとすべて送信されます。',
  webhookSinceRange: '過去 30 日間の出来事を再送できます。その期間内の日時を選んでください。',
  webhookChangedMeanwhile:
    'その間にエンドポイントが他の人によって変更されました。読み直してもう一度お試しください。',
  webhookTestedOften:
    'エンドポイントは先ほどテストされたばかりです。{seconds, plural, other {# 秒}}後にもう一度お試しください。',
  webhookUrlInvalid:
    'URL ではありません。https://example.com/webhooks のような完全な URL を指定してください。',
  webhookUrlNotHttps: 'イベントは https でのみ送信されます。https:// で始まる URL を指定してください。',
  webhookUrlUser: 'URL にユーザー名やパスワードを含めることはできません。送信者は署名で確認できます。',
  webhookUrlPort: 'イベントはポート 443 にのみ送信されます。ポートを省略してください。',
  webhookUrlNotPublic: 'このアドレスは公開されていないため、イベントは送信されません。',
  webhookUrlUnresolved: 'URL の名前に対応するアドレスがありません。修正するか、後でもう一度お試しください。',
  sessionUnknown: 'そのログインは存在しません。一覧で ID をご確認ください。',
  sessionsNoOthers:
    '他のログインがあるのは、ログイン中のお客様だけです。それぞれのログインは customerSessionRevoke で終了してください。',
  sessionReplaced:
    'このアクセストークンは新しいものに置き換えられました。新しいトークンでもう一度お試しください。',
  sessionsEndedOften:
    '一つのログインがより新しいログインを終了できるのは、1 時間に 3 回までです。{minutes, plural, other {# 分}}後に再びできます。新しくログインすれば、このログインをすぐに終了できます。',

  // Who acted, in the timeline.
  whoYou: 'お客様が',
  whoCustomer: '別のお客様が',
  whoTheCustomer: 'お客様が',
  whoCustomerThrough: 'お客様が <b>{key}</b> を通じて',
  whoStore: 'ストアが',
  whoKey: '<b>{key}</b> が',
  whoService: '定期購入サービスが',
  whoElsewhere: 'このサービス以外で誰かが',

  // What was done.
  billing_cycle_skipped: '{who}{order}をスキップしました。',
  billing_cycle_unskipped: '{who}{order}を元に戻しました。',
  billing_cycle_rescheduled: '{who}{order}の日付を変更しました。',
  billing_cycle_rescheduled_to: '{who}{order}の日付を {day, date, long}に変更しました。',
  billing_cycle_charged: '{who}{order}を請求しました。',
  billing_cycle_declined: '{who}{order}を請求しようとしましたが、{why}。',
  billing_cycle_action_required: '{who}{order}を請求しようとしましたが、お支払いの確認が必要です。',
  billing_cycle_edited: '{who}{order}だけを変更しました。',
  billing_cycle_edits_deleted: '{who}個別の注文の変更を取り消しました。',
  billing_cycles_charged: '{who}多数の定期購入の注文の請求を開始しました。',
  subscription_created: '{who}定期購入を作成しました。',
  subscription_paused: '{who}定期購入を一時停止しました。',
  subscription_paused_until: '{who}定期購入を {day, date, long}まで一時停止しました。',
  subscription_resumed: '{who}定期購入を再開しました。',
  subscription_resumed_on: '{who}定期購入を再開しました。次回の注文は {day, date, long}です。',
  subscription_cancelled: '{who}定期購入を解約しました。',
  subscription_expired: '{who}定期購入を終了しました。',
  subscription_failed: '{who}定期購入を失敗として記録しました。',
  subscription_updated: '{who}定期購入を変更しました。',
  subscription_lines_updated: '{who}商品を変更しました。',
  subscription_lines_updated_to: '{who}次の変更をしました：{changes}。',
  subscription_interval_updated: '{who}注文の間隔を変更しました。',
  subscription_interval_updated_to: '{who}注文の間隔を変更しました：{rhythm}。',
  subscription_interval_updated_apart: '{who}注文の間隔を変更しました：{delivered}、お支払いは{paid}。',
  subscription_next_billing_date_updated: '{who}次回の注文の日付を設定しました。',
  subscription_next_billing_date_updated_to: '{who}次回の注文の日付を {day, date, long}に設定しました。',
  subscription_delivery_updated: '{who}配送を変更しました。',
  subscription_payment_method_updated: '{who}お支払い方法を変更しました。',
  payment_method_replaced: '{who}お支払い方法の情報を変更しました。',
  payment_method_removed: '{who}お支払い方法を削除しました。',
  subscription_discount_applied: '{who}割引を適用しました。',
  subscription_discount_applied_code: '{who}割引コード <b>{code}</b> を適用しました。',
  subscription_discount_removed: '{who}割引を削除しました。',
  subscription_note_updated: '{who}メモを変更しました。',
  customer_address_updated: '{who}アドレス帳の住所を変更しました。定期購入の住所はそのままです。',
  payment_method_update_email_sent: '{who}お支払い方法を更新するためのメールを依頼しました。',
  webhook_endpoint_disabled:
    '{who}Webhook エンドポイントへのイベントの送信を停止しました。エンドポイントがイベントを受け付けませんでした。',
  somethingDone: '{who}変更を行いました（{action}）。',
  outcomeUnknown: 'これが反映されたかどうかはわかっていません。',

  // Which order.
  orderOfDay: '{day, date, long}の注文',
  orderOfNumber: '注文 {number, number}',
  orderOfNobodyKnows: '注文',

  // What became of lines.
  linesAdded: '{products} を追加',
  lineRemoved: '{product} を削除',
  lineSwapped: '{before} を {after} に交換',
  lineQuantityChanged: '{product} の数量を {before} から {after} に変更',
  lineDiscountRemoved: '割引 {title} を削除',
  lineSomeDiscountRemoved: '割引を削除',
  linesMore: 'ほか {count, plural, other {# 件}}の変更',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed.
  declinedConfirm: '銀行での確認が必要です',
  declinedStock: '在庫のない商品があります',
  declinedStore: 'ストアでの確認が必要です',
  declinedLater: 'お支払いが承認されませんでした。後でもう一度試すことができます',
  declinedMethod: 'お支払い方法またはその請求先住所の更新が必要です',
  declinedOtherMethod: '別のお支払い方法が必要です',
  declinedPaid: 'すでに支払い済みでした',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {価格が高すぎます。} TOO_MUCH_PRODUCT {量が多すぎます。} NOT_NEEDED {もう必要ありません。} QUALITY {商品の品質に満足できません。} DELIVERY {配送に問題があります。} MOVED {引っ越しました。} SWITCHED {別の商品を購入します。} TEMPORARY {一時的な解約です。} other {}}',
};
