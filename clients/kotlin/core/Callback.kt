/* The redirect address of a sign-in. */
package subscriptions

import java.net.URLDecoder

/** [address]: without query and fragment. The callback has a code or an error, not both. */
internal class Callback(val address: String, val state: String, val code: String?, val error: String?)

/**
 * Parses the redirect address of a sign-in. Throws FOREIGN_REDIRECT without a state, with neither or both of code and
 * error, and for a parameter that is repeated (RFC 6749, section 3.1) or cannot be decoded. Ignores parameters of other
 * names (section 4.1.2).
 */
internal fun readCallback(url: String): Callback {
    val whole = url.substringBefore('#')
    val parameters = readParameters(whole.substringAfter('?', "")) ?: throw foreignRedirect()
    fun value(name: String) = parameters[name]?.ifEmpty { null }
    val callback = Callback(whole.substringBefore('?'), value("state").orEmpty(), value("code"), value("error"))
    if (callback.state == "" || (callback.code == null) == (callback.error == null)) throw foreignRedirect()
    return callback
}

internal fun foreignRedirect() = ServiceError(FOREIGN_REDIRECT)

private fun readParameters(query: String): Map<String, String>? {
    val found = HashMap<String, String>()
    for (pair in query.split('&').filter { it != "" }) {
        try {
            val name = decode(pair.substringBefore('='))
            if (found.put(name, decode(pair.substringAfter('=', ""))) != null) return null
        } catch (_: IllegalArgumentException) {
            return null
        }
    }
    return found
}

private fun decode(text: String): String = URLDecoder.decode(text, "UTF-8")
