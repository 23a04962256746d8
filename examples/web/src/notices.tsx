/** The notices on every screen: the last change, with its undo, and why a request takes long. */
import { useEffect, useSyncExternalStore } from 'react';
import type { ServiceError } from 'subscription-management-client';
import { textOf } from './parts.tsx';

type Toast = { readonly text: string; readonly undo?: (() => void) | undefined; readonly more?: string };
type State = { readonly toast?: Toast | undefined; readonly waiting?: string | undefined };

const TOAST_MS = 10_000;

let state: State = {};
const listeners = new Set<() => void>();

function updateNotice(change: State): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribeToNotices(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a text for ten seconds, or half a minute if there is more to read. */
export const showToast = (text: string, undo?: () => void, more = '') =>
  updateNotice({ toast: { text, undo, more } });

const hideToast = () => updateNotice({ toast: undefined });

/** For the client's `onWaiting`. */
export function showWaiting(error: ServiceError | null): void {
  updateNotice({ waiting: error ? `${textOf(error).title} Trying again…` : undefined });
}

export function Notices() {
  const { toast, waiting } = useSyncExternalStore(subscribeToNotices, () => state);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(hideToast, toast.more ? 3 * TOAST_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className="notices" role="status">
      {waiting && <p className="waiting">{waiting}</p>}
      {toast && (
        <p className="toast">
          <span>
            <span>{toast.text}</span> {toast.more}
          </span>
          {toast.undo && (
            <button
              type="button"
              onClick={() => {
                hideToast();
                toast.undo?.();
              }}
            >
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
