/** The first screen: the sign-in, and why an earlier one has ended. */
import { useEffect, useState } from 'react';
import { isServiceError } from 'subscription-management-client';
import { useSession } from 'subscription-management-react';
import { Problem } from './parts.tsx';

/** These need no message: the customer has left the sign-in, or opened an old address. */
const isSilent = (error: unknown) => isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT');

export function SignInScreen({ startedSignIn }: { startedSignIn: Promise<unknown> | undefined }) {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(startedSignIn !== undefined);

  useEffect(() => {
    startedSignIn?.catch(setError).finally(() => setBusy(false));
  }, [startedSignIn]);

  async function signIn() {
    setError(undefined);
    // The browser leaves this page, and may return to it without a sign-in.
    await session.signIn().catch(setError);
  }

  if (session.status === 'loading' || (isBusy && !error)) return <p role="status">Loading …</p>;
  const isEnded = session.status === 'signedOut' && session.endedByService;
  return (
    <>
      <h1>Welcome</h1>
      <p>Skip, move, swap, pause or cancel your deliveries.</p>
      {isEnded && <p role="alert">You have been signed out. Please sign in again.</p>}
      {session.status === 'unknown' && <Problem error={session.error} />}
      {error !== undefined && !isSilent(error) && <Problem error={error} />}
      <button type="button" className="primary" onClick={signIn}>
        Sign in
      </button>
      <p className="quiet">You sign in with the store’s account page. We send you a code by email.</p>
    </>
  );
}
