/*
 * JSON (RFC 8259) as plain Kotlin values: Map, List, String, Long, Double, Boolean, null. Implemented here, so that the
 * core needs no library; an app can replace this object with one.
 */
package subscriptions

class JsonException(message: String) : Exception(message)

object Json {
    /** Parses a complete JSON text. Throws JsonException unless it is exactly one JSON value. */
    fun parse(text: String): Any? = Reader(text).whole()

    /** Serializes a value. Throws JsonException for a value that JSON cannot represent. */
    fun write(value: Any?): String = StringBuilder().apply { put(value) }.toString()

    private fun StringBuilder.put(value: Any?) {
        when (value) {
            null, is Boolean, is Int, is Long -> append(value.toString())
            is Double -> if (value.isFinite()) append(value.toString()) else throw JsonException("no number of JSON: $value")
            is String -> putQuoted(value)
            is Map<*, *> -> putAll(value.entries, '{', '}') { (name, entry) ->
                putQuoted("$name")
                append(':')
                put(entry)
            }
            is Iterable<*> -> putAll(value, '[', ']') { put(it) }
            else -> throw JsonException("JSON has no form for ${value::class}")
        }
    }

    private fun <Item> StringBuilder.putAll(items: Iterable<Item>, open: Char, close: Char, one: (Item) -> Unit) {
        append(open)
        items.forEachIndexed { index, item ->
            if (index > 0) append(',')
            one(item)
        }
        append(close)
    }

    private fun StringBuilder.putQuoted(text: String) {
        append('"')
        for (char in text) {
            when {
                char == '"' || char == '\\' -> append('\\').append(char)
                char < ' ' -> append("\\u").append(char.code.toString(16).padStart(4, '0'))
                else -> append(char)
            }
        }
        append('"')
    }
}

/** The maximum nesting, deeper than any response of the service. The limit prevents a stack overflow. */
private const val DEEPEST = 200
private val ESCAPES = mapOf('b' to '\b', 'f' to '\u000C', 'n' to '\n', 'r' to '\r', 't' to '\t')
private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
private val LITERALS = mapOf("true" to true, "false" to false, "null" to null)

private class Reader(private val text: String) {
    private var at = 0
    private var depth = 0

    fun whole(): Any? {
        val value = value()
        if (next() != null) fail()
        return value
    }

    private fun value(): Any? = when (next()) {
        '{' -> nested('}') { members() }
        '[' -> nested(']') { elements() }
        '"' -> string()
        else -> word() ?: number()
    }.let { if (it === NOTHING) null else it }

    private fun <Value> nested(close: Char, read: () -> Value): Value {
        if (++depth > DEEPEST) fail()
        at++
        val value = read()
        take(close)
        depth--
        return value
    }

    private fun members(): Map<String, Any?> {
        val members = LinkedHashMap<String, Any?>()
        if (next() == '}') return members
        do {
            if (next() != '"') fail()
            val name = string()
            take(':')
            members[name] = value()
        } while (isMore())
        return members
    }

    private fun elements(): List<Any?> {
        val elements = ArrayList<Any?>()
        if (next() == ']') return elements
        do elements.add(value()) while (isMore())
        return elements
    }

    private fun isMore(): Boolean = (next() == ',').also { if (it) at++ }

    private fun string(): String = buildString {
        at++
        while (true) {
            val char = text.getOrNull(at++) ?: fail()
            when {
                char == '"' -> return@buildString
                char == '\\' -> append(escaped())
                char < ' ' -> fail()
                else -> append(char)
            }
        }
    }

    private fun escaped(): Char {
        val char = text.getOrNull(at++) ?: fail()
        if (char != 'u') return ESCAPES[char] ?: char.takeIf { it in "\"\\/" } ?: fail()
        val digits = text.substring(at, minOf(at + 4, text.length))
        if (!digits.matches(Regex("[0-9a-fA-F]{4}"))) fail()
        at += 4
        return digits.toInt(16).toChar()
    }

    private fun word(): Any? {
        val (word, value) = LITERALS.entries.find { text.startsWith(it.key, at) } ?: return null
        at += word.length
        return value ?: NOTHING
    }

    private fun number(): Number {
        val digits = NUMBER.matchAt(text, at)?.value ?: fail()
        at += digits.length
        return digits.toLongOrNull() ?: digits.toDouble()
    }

    private fun take(char: Char) {
        if (next() != char) fail()
        at++
    }

    private fun next(): Char? {
        while (at < text.length && text[at] in " \t\r\n") at++
        return text.getOrNull(at)
    }

    private fun fail(): Nothing = throw JsonException("no JSON at $at")

    private companion object {
        val NOTHING = Any()
    }
}
