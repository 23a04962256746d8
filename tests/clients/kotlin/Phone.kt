/*
 * A phone without a screen. The tests send the customer's actions to its standard input, one JSON object per line, and
 * read the results from its standard output. Its storage is a folder, which outlives the process.
 */
package subscriptions.phone

import java.io.File
import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import subscriptions.CustomerClient
import subscriptions.CustomerClientOptions
import subscriptions.Environment
import subscriptions.Json
import subscriptions.OpenBrowser
import subscriptions.ServiceError
import subscriptions.Session
import subscriptions.Storage
import subscriptions.readCallback
import subscriptions.readOperation

fun main(arguments: Array<String>) = Phone(File(arguments[0])).obey()

private class Phone(folder: File) {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val storage = FileStorage(folder)
    private val clients = ConcurrentHashMap<String, CustomerClient>()
    private val browsers = ConcurrentHashMap<Int, CompletableDeferred<String?>>()
    private val browserIds = AtomicInteger()
    @Volatile private var aheadMs = 0L
    @Volatile private var longestWaitMs = 1_000L

    fun obey() {
        generateSequence(::readlnOrNull).forEach { line ->
            @Suppress("UNCHECKED_CAST")
            val order = Json.parse(line) as Map<String, Any?>
            scope.launch { report(mapOf("id" to order["id"]) + outcomeOf(order)) }
        }
    }

    private suspend fun outcomeOf(order: Map<String, Any?>): Map<String, Any?> = try {
        mapOf("value" to carryOut(order))
    } catch (error: ServiceError) {
        mapOf(
            "error" to mapOf(
                "code" to error.code, "message" to error.message, "status" to error.status, "retryAfterMs" to error.retryAfterMs,
            ),
        )
    } catch (error: Exception) {
        mapOf("error" to mapOf("code" to "CRASH", "message" to error.stackTraceToString()))
    }

    private suspend fun carryOut(order: Map<String, Any?>): Any? {
        fun text(name: String) = order[name] as String
        fun client() = clients.getValue(text("on"))
        when (val name = text("do")) {
            "create" -> clients[text("on")] = create(text("on"), text("serviceUrl"), text("shop"))
            "clock" -> aheadMs = order["aheadMs"] as Long
            "longestWait" -> longestWaitMs = order["ms"] as Long
            "storageFails" -> storage.failing = (order["at"] as List<*>).toSet()
            "browser" -> browsers.remove((order["browser"] as Long).toInt())?.complete(order["address"] as String?)
            "session" -> return client().session().toJson()
            "signIn" -> return client().signIn().toJson()
            "completeSignIn" -> return client().completeSignIn(text("url")).toJson()
            "resume" -> return client().resume().toJson()
            "signOut" -> client().signOut()
            "request" -> return request(client(), order)
            "json" -> return Json.write(Json.parse(text("text")))
            "readOperation" -> return readOperation(text("document"), order["operationName"] as String?).let {
                mapOf("isRetryable" to it.isRetryable, "isChange" to it.isChange, "keyVariables" to it.keyVariables)
            }
            "readCallback" -> return readCallback(text("url")).let {
                mapOf("address" to it.address, "state" to it.state, "code" to it.code, "error" to it.error)
            }
            else -> error("The phone cannot $name.")
        }
        return null
    }

    private suspend fun request(client: CustomerClient, order: Map<String, Any?>): Any {
        @Suppress("UNCHECKED_CAST")
        val variables = order["variables"] as? Map<String, Any?> ?: emptyMap()
        val result = client.request(order["document"] as String, variables)
        return mapOf("data" to result.data, "errors" to result.errors.map { it.code })
    }

    private fun create(name: String, serviceUrl: String, shop: String): CustomerClient {
        val environment = Environment(
            now = { System.currentTimeMillis() + aheadMs },
            wait = {
                report(mapOf("event" to "wait", "ms" to it))
                delay(minOf(it, longestWaitMs))
            },
        )
        val options = CustomerClientOptions(serviceUrl, shop, storage, openBrowser(), environment = environment)
        return CustomerClient(options).also { client ->
            client.onSession { report(mapOf("event" to "session", "on" to name, "session" to it.toJson())) }
        }
    }

    private fun openBrowser() = OpenBrowser { request ->
        val browser = browserIds.incrementAndGet()
        val answer = CompletableDeferred<String?>().also { browsers[browser] = it }
        val event = mapOf("event" to "browser", "browser" to browser)
        report(event + mapOf("authUrl" to request.authUrl, "redirectUri" to request.redirectUri))
        answer.await()
    }

    private fun report(message: Map<String, Any?>) = synchronized(this) { println(Json.write(message)) }
}

private fun Session.toJson(): Map<String, Any?> = when (this) {
    is Session.SignedIn -> mapOf("status" to "signedIn", "customerId" to customerId)
    is Session.Unknown -> mapOf("status" to "unknown")
    is Session.SignedOut -> mapOf("status" to "signedOut", "endedByService" to endedByService)
}

/** [failing]: which of its functions fail, as those of a locked or full device do. */
private class FileStorage(private val folder: File) : Storage {
    @Volatile var failing: Set<Any?> = emptySet()

    override suspend fun get(key: String): String? {
        check("get" !in failing) { "The device is locked." }
        return File(folder, key).takeIf { it.exists() }?.readText()
    }

    override suspend fun set(key: String, text: String) {
        check("set" !in failing) { "The device is full." }
        val aside = File.createTempFile(key, ".new", folder).apply { writeText(text) }
        Files.move(aside.toPath(), File(folder, key).toPath(), ATOMIC_MOVE)
    }

    override suspend fun remove(key: String) {
        check("remove" !in failing) { "The device is locked." }
        File(folder, key).delete()
    }
}
