/* Sends requests to the service: maps failures to codes, and decides what is retried, when, and for how long. */
package subscriptions

import java.io.IOException
import kotlin.math.max
import kotlin.math.min
import kotlinx.coroutines.withTimeoutOrNull

private const val TRIES = 5
private const val FIRST_WAIT_MS = 1_000L
private const val LONGEST_WAIT_MS = 8_000L
/** Longer than any request takes at the service. */
private const val TIME_OUT_MS = 25_000L

internal class Call(
    val path: String,
    val body: Map<String, Any?>,
    val method: String = "POST",
    val accessToken: String? = null,
)

/** [servedAtMs]: the response's epoch milliseconds by the service's clock, if it contains them. */
internal class Answer(val json: Map<String, Any?>, val servedAtMs: Long?)

/**
 * [isRetryable]: whether the last request can be sent twice without harm. [mayChange]: whether it may have changed
 * data; then the final error must not claim that nothing was changed.
 */
internal class Attempt(val isRetryable: () -> Boolean = { true }, val mayChange: () -> Boolean = { false })

internal class ServiceCalls(
    private val serviceUrl: String,
    val language: () -> String?,
    private val onWaiting: (ServiceError?) -> Unit,
    private val environment: Environment,
) {
    /**
     * Sends one request of at most 25 s and returns the response's object. Throws ServiceError with the code of the
     * error body, or NETWORK.
     */
    suspend fun send(call: Call, endsAtMs: Long = Long.MAX_VALUE): Answer {
        val response = exchange(call, min(TIME_OUT_MS, endsAtMs - environment.now()))
        val answer = runCatching { Json.parse(response.body).asObject() }.getOrNull()
        // A page of another server, a truncated response and a redirect, which the service never sends, count as no
        // response.
        if (response.status < 400 && (response.status != 200 || answer == null)) throw notOfTheService()
        if (response.status == 200 && answer != null) return Answer(answer, response.servedAtMs)
        throw toError(response, answer.orEmpty())
    }

    private suspend fun exchange(call: Call, leftMs: Long): HttpResponse {
        val headers = buildMap {
            put("Content-Type", "application/json")
            call.accessToken?.let { put("Authorization", "Bearer $it") }
            language()?.let { put("Accept-Language", it) }
        }
        val request = HttpRequest(call.method, serviceUrl.trimEnd('/') + call.path, headers, Json.write(call.body))
        try {
            return withTimeoutOrNull(leftMs) { environment.http.send(request) } ?: throw ServiceError(NETWORK)
        } catch (error: IOException) {
            throw ServiceError(NETWORK, cause = error)
        }
    }

    private fun toError(response: HttpResponse, answer: Map<String, Any?>): ServiceError {
        val first = (answer["errors"] as? List<*>)?.firstOrNull().asObject().orEmpty()
        val failure = answer["error"].asObject() ?: (first + first["extensions"].asObject().orEmpty())
        val error = ServiceError(failure["code"] as? String ?: UNKNOWN)
        return ServiceError(
            code = error.code,
            message = failure["message"] as? String ?: error.message.orEmpty(),
            status = response.status,
            retryAfterMs = response.retryAfter?.trim()?.toLongOrNull()?.takeIf { it in 0..86_400 }?.times(1_000),
            requestId = response.requestId ?: failure["requestId"] as? String,
            details = failure["details"] as? String,
        )
    }

    /**
     * Retries transient errors after `Retry-After`, else after a second, doubled each time, with jitter: up to five
     * attempts, none after [endsAtMs] of the device's clock. Throws the last error, or the error of an earlier attempt
     * if it may have changed data and no later attempt reported the result.
     */
    suspend fun <Result> keepTrying(endsAtMs: Long, attempt: Attempt = Attempt(), request: suspend () -> Result): Result {
        var isWaiting = false
        try {
            return tryOften(endsAtMs, attempt, request) {
                isWaiting = true
                onWaiting(it)
            }
        } finally {
            if (isWaiting) onWaiting(null)
        }
    }

    private suspend fun <Result> tryOften(
        endsAtMs: Long, attempt: Attempt, request: suspend () -> Result, onWaiting: (ServiceError) -> Unit,
    ): Result {
        var unclear: ServiceError? = null
        var before: ServiceError? = null
        for (tries in 1..TRIES) {
            try {
                return request()
            } catch (error: ServiceError) {
                if (!canRetry(error, attempt.isRetryable(), before)) throw error
                val waitMs = waitMs(error, tries)
                if (unclear == null && error.mayHaveRun && attempt.mayChange()) unclear = error
                // The error of an attempt that the deadline aborted says less than the error before it.
                val last = if (environment.now() < endsAtMs) error else before ?: error
                if (tries == TRIES || environment.now() + waitMs >= endsAtMs) throw unclear ?: last
                before = error
                onWaiting(error)
                environment.wait(waitMs)
            }
        }
        error("The last try returns or throws.")
    }

    private fun canRetry(error: ServiceError, isRetryable: Boolean, before: ServiceError?): Boolean {
        // A retry with the same key resolves the first OUTCOME_UNKNOWN; a second one is final.
        if (error.hasCode(OUTCOME_UNKNOWN)) return isRetryable && before?.code != OUTCOME_UNKNOWN
        return error.isPassing && (isRetryable || !error.mayHaveRun)
    }

    private fun waitMs(error: ServiceError, tries: Int): Long {
        val backOffMs = min(FIRST_WAIT_MS shl (tries - 1), LONGEST_WAIT_MS)
        val spread = 0.75 + environment.random() / 2
        return max(((error.retryAfterMs ?: 0) * (1 + environment.random() / 4)).toLong(), (backOffMs * spread).toLong())
    }
}

@Suppress("UNCHECKED_CAST")
internal fun Any?.asObject(): Map<String, Any?>? = this as? Map<String, Any?>
