/** The customer, the language of messages, the devices that are signed in, and the way out. */
import { useState } from 'react';
import { useSession } from 'subscription-management-react';
import { client, queryClient, readLanguage, storeLanguage } from './client.ts';
import { showToast } from './notices.tsx';
import { Problem, Section } from './parts.tsx';
import { useCustomerQuery, useFormat } from './store.tsx';

export function AccountScreen() {
  const { signOut } = useSession();
  const customer = useCustomerQuery('customer', () => client.account.get());
  return (
    <>
      <h1 tabIndex={-1}>Account</h1>
      {customer.error && <Problem error={customer.error} retry={customer.refetch} />}
      {customer.data && (
        <p>
          {customer.data.displayName}
          <br />
          {customer.data.defaultEmailAddress?.emailAddress}
        </p>
      )}
      <Languages />
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      <SignedInDevices />
    </>
  );
}

function Languages() {
  const { data: store } = useCustomerQuery('store', () => client.store());
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const tags = store?.languages.map((code) => code.replace('_', '-').toLowerCase()) ?? [];
  const [language] = readLanguage().toLowerCase().split('-');
  const chosen = tags.find((tag) => tag.split('-')[0] === language);
  const [value = chosen ?? 'en', choose] = useState<string>();
  return (
    <label className="field">
      Language of messages
      <select
        value={value}
        onChange={({ target }) => {
          storeLanguage(target.value);
          choose(target.value);
          void queryClient.invalidateQueries();
        }}
      >
        {tags.map((tag) => (
          <option key={tag} value={tag}>
            {names.of(tag)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SignedInDevices() {
  const format = useFormat();
  const sessions = useCustomerQuery('sessions', () => client.account.sessions());
  const [error, setError] = useState<unknown>();

  async function end(work: () => Promise<unknown>, text: string) {
    setError(undefined);
    try {
      await work();
      showToast(text);
      await sessions.refetch();
    } catch (failure) {
      setError(failure);
    }
  }

  return (
    <Section title="Where you are signed in">
      {sessions.error && <Problem error={sessions.error} retry={sessions.refetch} />}
      <ul className="rows">
        {sessions.data?.nodes.map(({ id, deviceLabel, createdAt, isCurrent }) => {
          const label = deviceLabel ?? 'A device';
          return (
            <li key={id}>
              <span>
                {isCurrent ? 'This browser' : label}
                <small>Signed in {format.moment(createdAt)}</small>
              </span>
              {!isCurrent && (
                <button
                  type="button"
                  aria-label={`Sign out ${label}, signed in ${format.moment(createdAt)}`}
                  onClick={() =>
                    end(() => client.account.revokeSession({ sessionId: id }), `${label} is signed out.`)
                  }
                >
                  Sign out
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {(sessions.data?.nodes.length ?? 0) > 1 && (
        <button
          type="button"
          onClick={() => end(() => client.account.revokeOtherSessions(), 'All other devices are signed out.')}
        >
          Sign out all other devices
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
    </Section>
  );
}
