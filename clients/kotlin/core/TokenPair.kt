/* The pair of tokens that exchange and refresh answer, and how long its access token is used. */
package subscriptions

import java.time.Instant
import java.time.format.DateTimeParseException

/** The service gives an access token at least 10 minutes, and at most an hour. */
private const val MIN_LIFETIME_MS = 10 * 60_000L
private const val MAX_LIFETIME_MS = 60 * 60_000L
/** It is replaced this long before the service would refuse it. */
private const val MARGIN_MS = 2 * 60_000L

/**
 * [receivedAtMs]: epoch milliseconds by the device's clock; the access token serves for [lifeMs] from then on. [state]: of the
 * sign-in that it came from.
 */
internal data class StoredSession(
    val accessToken: String,
    val refreshToken: String,
    val customerId: Long,
    val receivedAtMs: Long,
    val lifetimeMs: Long,
    val state: String,
) {
    /** Whether the token is used without asking for another. A clock that was put back since is mended by a 401. */
    fun isGood(nowMs: Long, refused: String?): Boolean =
        accessToken != refused && nowMs - receivedAtMs < lifetimeMs - MARGIN_MS
}

/**
 * What is stored of an answer. Its life is told by the service's clock where that is in the answer, else by the device's own,
 * and never believed to be longer or shorter than the service makes it. Throws NETWORK for what is no pair.
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
