/* The token pair that exchange and refresh return, and the use of its access token. */
package subscriptions

import java.time.Instant
import java.time.format.DateTimeParseException

/** The service's limits for the lifetime of an access token: 10 minutes and an hour. */
private const val MIN_LIFETIME_MS = 10 * 60_000L
private const val MAX_LIFETIME_MS = 60 * 60_000L
/** The client replaces a token this long before it expires. */
private const val MARGIN_MS = 2 * 60_000L

/**
 * [receivedAtMs]: epoch milliseconds by the device's clock; the access token is valid for [lifeMs] from then on.
 * [state]: the `state` of the sign-in that created the session.
 */
internal data class StoredSession(
    val accessToken: String,
    val refreshToken: String,
    val customerId: Long,
    val receivedAtMs: Long,
    val lifetimeMs: Long,
    val state: String,
) {
    /**
     * Whether the token can be used without a refresh. If the device's clock was set back, a 401 triggers the refresh.
     */
    fun isGood(nowMs: Long, refused: String?): Boolean =
        accessToken != refused && nowMs - receivedAtMs < lifetimeMs - MARGIN_MS
}

/**
 * Converts a response to the stored session. The lifetime follows the service's clock if the response contains it, else
 * the device's clock, within the service's limits. Throws NETWORK for a response without a token pair.
 */
internal fun toStoredSession(answer: Answer, state: String, nowMs: Long): StoredSession {
    val json = answer.json
    val expiresAtMs = epochMs(json["expiresAt"] as? String) ?: throw notOfTheService()
    return StoredSession(
        accessToken = json["accessToken"] as? String ?: throw notOfTheService(),
        refreshToken = json["refreshToken"] as? String ?: throw notOfTheService(),
        customerId = json["customerId"] as? Long ?: throw notOfTheService(),
        receivedAtMs = nowMs,
        lifetimeMs = (expiresAtMs - (answer.servedAtMs ?: nowMs)).coerceIn(MIN_LIFETIME_MS, MAX_LIFETIME_MS),
        state = state,
    )
}

private fun epochMs(text: String?): Long? = try {
    text?.let(Instant::parse)?.toEpochMilli()
} catch (_: DateTimeParseException) {
    null
}

internal fun notOfTheService() = ServiceError(NETWORK, "The answer is not of the service.")
