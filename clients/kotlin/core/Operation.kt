/*
 * Classifies a GraphQL document. Without a known result, only queries and changes with an idempotency key are sent
 * again.
 */
package subscriptions

/** Matches a string or a comment as one token, and the tokens that separate definitions and their first fields. */
private val TOKENS = Regex(
    "\"\"\"(?:\\\\\"\"\"|(?!\"\"\")[\\s\\S])*\"\"\"|\"(?:\\\\.|[^\"\\\\\n\r])*\"|#[^\n\r]*" +
        "|[$@]?[_A-Za-z][_0-9A-Za-z]*|[{}():]",
)

/** [isRetryable]: a query, or a mutation whose fields all have `@idempotent`. An unknown document is not retryable. */
internal class Operation(val isRetryable: Boolean, val isChange: Boolean, val keyVariables: List<String>)

internal fun readOperation(document: String, operationName: String?): Operation {
    val meant = Definitions().apply { tokensOf(document).forEach(::read) }.all.filter {
        it.type != "fragment" && (operationName == null || it.name == operationName)
    }
    val isQuery = meant.all { it.type == "query" }
    val isKeyed = meant.size == 1 && meant.all { it.type == "mutation" && it.fields == it.keyed }
    return Operation(meant.isNotEmpty() && (isQuery || isKeyed), isChange = !isQuery, meant.flatMap { it.keyVariables })
}

private fun tokensOf(document: String): Sequence<String> =
    TOKENS.findAll(document).map { it.value }.filter { it[0] != '"' && it[0] != '#' }

/** [head]: the words before the braces. An empty head is a query in short form (GraphQL, section 2.3). */
private class Definition(head: List<String>) {
    val type = head.getOrNull(0) ?: "query"
    val name = head.getOrNull(1)?.takeUnless { it.startsWith("@") }

    /** Counts the fields of the first level. */
    var fields = 0
    var keyed = 0
    val keyVariables = ArrayList<String>()
}

private class Definitions {
    val all = ArrayList<Definition>()
    private var braces = 0
    private var parentheses = 0
    private var head = ArrayList<String>()
    private var directive = ""

    fun read(token: String) {
        val current = all.lastOrNull()
        when {
            token == "(" -> parentheses++
            token == ")" -> {
                parentheses--
                directive = ""
            }
            parentheses > 0 ->
                if (directive == "@idempotent" && token.startsWith("$")) current?.keyVariables?.add(token.drop(1))
            token == "{" -> open()
            token == "}" -> braces--
            braces == 0 -> head.add(token)
            braces == 1 && current != null -> readField(current, token)
        }
    }

    private fun open() {
        if (braces++ == 0) all.add(Definition(head))
        head = ArrayList()
    }

    private fun readField(current: Definition, token: String) {
        directive = if (token.startsWith("@")) token else ""
        if (directive == "@idempotent") current.keyed++
        // An aliased field has two names.
        if (token == ":") current.fields-- else if (directive == "") current.fields++
    }
}
