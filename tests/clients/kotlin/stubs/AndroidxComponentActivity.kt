/* See AndroidContent.kt. androidx.activity 1.10. */
package androidx.activity

import android.app.Activity
import androidx.activity.result.ActivityResultCaller
import androidx.lifecycle.LifecycleOwner

open class ComponentActivity : Activity(), ActivityResultCaller, LifecycleOwner
