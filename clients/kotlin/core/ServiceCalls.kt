/* Requests to the service: the code of whatever went wrong, and what is sent again, when, and for how long. */
package subscriptions

import java.io.IOException
import kotlin.math.max
import kotlin.math.min
import kotlinx.coroutines.withTimeoutOrNull

private const val TRIES = 5
private const val FIRST_WAIT_MS = 1_000L
private const val LONGEST_WAIT_MS = 8_000L
/** Longer than the service takes for any request. */
private const val TIME_OUT_MS = 25_000L

internal class Call(
    val path: String,
    val body: Map<String, Any?>,
    val method: String = "POST",
    val accessToken: String? = null,
)

/** [servedAtMs]: epoch milliseconds by the service's clock, where it told. */
internal class Answer(val json: Map<String, Any?>, val servedAtMs: Long?)

/**
 * [isRetryable]: whether it does no harm to send the last try's request twice. [mayChange]: whether it may have changed
 * something; then nobody is told that nothing was done where nobody knows.
 */
internal class Attempt(val isRetryable: () -> Boolean = { true }, val mayChange: () -> Boolean = { false })

internal class ServiceCalls(
    private val serviceUrl: String,
    val language: () -> String?,
    private val onWaiting: (ServiceError?) -> Unit,
    private val environment: Environment,
) {
    /** One request, of 25 s at most, its answer's object. ServiceError with the code of the error body, or NETWORK. */
    suspend fun send(call: Call, endsAtMs: Long = Long.MAX_VALUE): Answer {
        val response = exchange(call, min(TIME_OUT_MS, endsAtMs - environment.now()))
        val answer = runCatching { Json.parse(response.body).asObject() }.getOrNull()
        // Another's page, or one that broke off, is as if no answer had come: a redirect too, which the service never sends.
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
     * Sends again what may succeed in a moment: as late as the service says, else after a second, doubled each time, and spread;
     * five tries, none after [endsAtMs] of the device's clock. Throws the last error; if an earlier try of a change may have run,
     * and nothing told what became of it, that one's.
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
                // What the deadline has cut short tells less than the answer before.
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
        // The first of these is settled by a repeat under the same key; the second says that nobody will ever know.
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
