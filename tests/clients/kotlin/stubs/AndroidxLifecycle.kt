/* See AndroidContent.kt. androidx.lifecycle 2.8. */
package androidx.lifecycle

import kotlinx.coroutines.CoroutineScope

interface LifecycleOwner

abstract class LifecycleCoroutineScope : CoroutineScope

@Suppress("UnusedReceiverParameter")
val LifecycleOwner.lifecycleScope: LifecycleCoroutineScope get() = TODO()
