/* Everything that can go wrong, by its code: one class, so an app has one place that puts errors in words. */
package subscriptions

/**
 * [code] is one of the service's catalogue (docs/errors.md), of the platform, or the client's own: NETWORK, no answer or none of
 * the service's (a captive portal); STORAGE, the device's storage failed, nobody is signed out by it; SIGNED_OUT; CANCELLED, the
 * customer refused the sign-in; FOREIGN_REDIRECT, an address that is not this sign-in's; SIGN_IN_REFUSED, the platform's
 * page told an error; UNKNOWN, an answer without a code.
 */
class ServiceError(
    val code: String,
    message: String = MESSAGES[code] ?: code,
    /** HTTP; 0 where no answer came. */
    val status: Int = 0,
    /** How long the service asks to wait, if it does. */
    val retryAfterMs: Long? = null,
    /** Quote it to whoever runs the service. */
    val requestId: String? = null,
    /** Why a credential is not taken, for developers: of UNAUTHENTICATED alone. */
    val details: String? = null,
    cause: Throwable? = null,
) : Exception(message, cause) {
    /** The same request may well succeed later; nobody's sign-in ends because of it. */
    val isPassing: Boolean
        // By the status where the code is newer than this client, or is none: of the gateway, or of something on the way.
        get() = code == NETWORK || code in RETRYABLE || (code !in PERMANENT && (status == 429 || status >= 500))

    /** The request may have run, and whoever does not know has to read. */
    val mayHaveRun: Boolean
        get() = when {
            code == UNKNOWN -> status != 429 && status != 503
            else -> code in UNCERTAIN || (status >= 500 && status != 503)
        }

    /** The service has said no: sending it once more is of no use. Without a code it was somebody on the way. */
    internal val isFinal: Boolean
        get() = !isPassing && code != UNKNOWN && code != STORAGE

    fun hasCode(vararg codes: String): Boolean = code in codes
}

internal const val NETWORK = "NETWORK"
internal const val STORAGE = "STORAGE"
internal const val SIGNED_OUT = "SIGNED_OUT"
internal const val CANCELLED = "CANCELLED"
internal const val FOREIGN_REDIRECT = "FOREIGN_REDIRECT"
internal const val SIGN_IN_REFUSED = "SIGN_IN_REFUSED"
internal const val UNKNOWN = "UNKNOWN"
internal const val OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"

/** For developers, where nothing else is known. */
private val MESSAGES = mapOf(
    NETWORK to "No answer of the service came.",
    STORAGE to "The storage of the device failed.",
    SIGNED_OUT to "Nobody is signed in: call signIn().",
    CANCELLED to "The customer refused the sign-in.",
    FOREIGN_REDIRECT to "This address belongs to no sign-in of this device.",
    SIGN_IN_REFUSED to "The platform refused the sign-in.",
    UNKNOWN to "The answer has no code.",
)
/** After these the same request can succeed later. */
private val RETRYABLE = setOf(
    "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR", "THROTTLED", "PLATFORM_UNAVAILABLE", "IDEMPOTENCY_CONCURRENT_REQUEST",
)
/** What stays so until somebody does something. */
private val PERMANENT = setOf("STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED")
private val UNCERTAIN = setOf(NETWORK, "INTERNAL_ERROR", OUTCOME_UNKNOWN)
