/* The client's only error class. An app can translate errors by their code in one place. */
package subscriptions

/**
 * [code] is a code of the service's catalogue (docs/errors.md), of the platform, or of the client: NETWORK, no response
 * or a response of another server (a captive portal); STORAGE, the device's storage failed and the session is
 * unchanged; SIGNED_OUT; CANCELLED, the customer cancelled the sign-in; FOREIGN_REDIRECT, an address of another
 * sign-in; SIGN_IN_REFUSED, the platform's page returned an error; UNKNOWN, a response without a code.
 */
class ServiceError(
    val code: String,
    message: String = MESSAGES[code] ?: code,
    /** The HTTP status; 0 without a response. */
    val status: Int = 0,
    /** The wait that the service requests, if it requests one. */
    val retryAfterMs: Long? = null,
    /** The request's id, to quote to the service's operator. */
    val requestId: String? = null,
    /** The reason why a credential was rejected, for developers: only of UNAUTHENTICATED. */
    val details: String? = null,
    cause: Throwable? = null,
) : Exception(message, cause) {
    /** Whether the same request may succeed later. Such an error never ends a session. */
    val isPassing: Boolean
        // The status decides for an unknown code, and without a code: the response of a gateway or a proxy.
        get() = code == NETWORK || code in RETRYABLE || (code !in PERMANENT && (status == 429 || status >= 500))

    /** Whether the request may have changed data, so that the caller has to read the result. */
    val mayHaveRun: Boolean
        get() = when {
            code == UNKNOWN -> status != 429 && status != 503
            else -> code in UNCERTAIN || (status >= 500 && status != 503)
        }

    /**
     * Whether the service has rejected the request, so that a retry is of no use. An error without a code comes from a
     * proxy.
     */
    internal val isFinal: Boolean
        get() = !isPassing && code != UNKNOWN && code != STORAGE

    /**
     * What an app does about the error, as in the TypeScript client: `reload`, `retry`, `sign-in` or `contact-support`. Of a
     * refused change, select `advice` in `userErrors`.
     */
    val advice: String
        get() = when {
            code in SIGN_IN -> "sign-in"
            mayHaveRun -> "reload"
            isPassing || code == STORAGE -> "retry"
            else -> "contact-support"
        }

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

/** The codes after which the customer signs in again. */
private val SIGN_IN = setOf(
    "INVALID_NONCE",
    "SIGN_IN_REJECTED",
    "INVALID_REFRESH_TOKEN",
    "TOKEN_NOT_FOUND",
    "UNAUTHENTICATED",
    SIGNED_OUT,
    CANCELLED,
    FOREIGN_REDIRECT,
    SIGN_IN_REFUSED,
)

/** The messages for developers, used if the service sent none. */
private val MESSAGES = mapOf(
    NETWORK to "No answer of the service came.",
    STORAGE to "The storage of the device failed.",
    SIGNED_OUT to "Nobody is signed in: call signIn().",
    CANCELLED to "The customer refused the sign-in.",
    FOREIGN_REDIRECT to "This address belongs to no sign-in of this device.",
    SIGN_IN_REFUSED to "The platform refused the sign-in.",
    UNKNOWN to "The answer has no code.",
)
/** Codes after which the same request can succeed later. */
private val RETRYABLE = setOf(
    "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR", "THROTTLED", "PLATFORM_UNAVAILABLE", "IDEMPOTENCY_CONCURRENT_REQUEST",
)
/** Codes that need a fix by the merchant or the operator. */
private val PERMANENT = setOf("STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED")
private val UNCERTAIN = setOf(NETWORK, "INTERNAL_ERROR", OUTCOME_UNKNOWN)
