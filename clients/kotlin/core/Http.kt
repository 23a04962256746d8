/*
 * Sends HTTP requests. UrlConnectionHttp needs no library, on Android and on any JVM; an app can use OkHttp or Ktor
 * instead.
 */
package subscriptions

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URI
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.suspendCancellableCoroutine

data class HttpRequest(val method: String, val url: String, val headers: Map<String, String>, val body: String)

/**
 * [retryAfter] and [requestId] are the unparsed headers Retry-After and X-Request-Id; [servedAtMs] is Date, in
 * milliseconds.
 */
data class HttpResponse(
    val status: Int,
    val body: String,
    val retryAfter: String?,
    val requestId: String?,
    val servedAtMs: Long?,
)

fun interface Http {
    /** Returns the response of any status and follows no redirect. Throws IOException without a complete response. */
    suspend fun send(request: HttpRequest): HttpResponse
}

/** The client gives up earlier; these limits end the threads of hanging connections. */
private const val CONNECT_MS = 15_000
private const val READ_MS = 30_000
private val IS_ANDROID = System.getProperty("java.vm.name") == "Dalvik"

class UrlConnectionHttp : Http {
    override suspend fun send(request: HttpRequest): HttpResponse {
        val connection = URI(request.url).toURL().openConnection() as HttpURLConnection
        return suspendCancellableCoroutine { answer ->
            // A blocked read ignores cancellation; closing the connection ends it.
            answer.invokeOnCancellation { connection.disconnect() }
            Dispatchers.IO.asExecutor().execute {
                try {
                    answer.resume(exchange(connection, request))
                } catch (error: Exception) {
                    answer.resumeWithException(error as? IOException ?: IOException(error))
                }
            }
        }
    }

    private fun exchange(connection: HttpURLConnection, request: HttpRequest): HttpResponse {
        val body = request.body.encodeToByteArray()
        connection.requestMethod = request.method
        connection.instanceFollowRedirects = false
        connection.doOutput = true
        connection.connectTimeout = CONNECT_MS
        connection.readTimeout = READ_MS
        // With a fixed length, Android does not resend a request when the connection breaks. Another JVM then hides the
        // body of a 401: start it with -Dsun.net.http.retryPost=false instead.
        if (IS_ANDROID) connection.setFixedLengthStreamingMode(body.size)
        for ((name, value) in request.headers) connection.setRequestProperty(name, value)
        connection.outputStream.use { it.write(body) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val text = stream?.use { it.readBytes().decodeToString() }.orEmpty()
        return HttpResponse(
            status, text,
            retryAfter = connection.getHeaderField("Retry-After"),
            requestId = connection.getHeaderField("X-Request-Id"),
            servedAtMs = connection.date.takeIf { it > 0 },
        )
    }
}
