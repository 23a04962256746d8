/* As much of Android as the client's parts for it use, with Android's own signatures: to compile against, never to run. */
@file:Suppress("UNUSED_PARAMETER")

package android.content

class Intent {
    val data: android.net.Uri? get() = TODO()
    val dataString: String? get() = TODO()
}

open class Context {
    fun getSharedPreferences(name: String, mode: Int): SharedPreferences = TODO()

    companion object {
        const val MODE_PRIVATE = 0
    }
}

interface SharedPreferences {
    fun getString(key: String, default: String?): String?
    fun edit(): Editor

    interface Editor {
        fun putString(key: String, value: String?): Editor
        fun remove(key: String): Editor
        fun commit(): Boolean
    }
}
