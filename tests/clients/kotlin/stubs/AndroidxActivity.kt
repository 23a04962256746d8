/* See AndroidContent.kt. */
@file:Suppress("UNUSED_PARAMETER")

package androidx.activity.result

fun interface ActivityResultCallback<Output> {
    fun onActivityResult(result: Output)
}

interface ActivityResultCaller

abstract class ActivityResultLauncher<Input> {
    abstract fun unregister()
}
