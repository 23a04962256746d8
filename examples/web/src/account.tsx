/** The customer, the language of messages, the devices that are signed in, and the way out. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from 'subscription-management-react';
import { client, queryClient, readLanguage, storeLanguage } from './client.ts';
import { useCustomerQuery, useHome } from './home.tsx';
import { showToast } from './notices.tsx';
import { Problem, Section } from './parts.tsx';

export function AccountScreen() {
  const { signOut } = useSession();
  const { customer } = useHome();
  return (
    <>
      <h1 tabIndex={-1}>Account</h1>
      <p>
        {customer.displayName}
        <br />
        {customer.defaultEmailAddress?.emailAddress}
      </p>
      <Languages />
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      <SignedInDevices />
    </>
  );
}

function Languages() {
  const { store } = useHome();
  const languageNames = new Intl.DisplayNames('en', { type: 'language' });
  const tags = store.languages.map((code) => code.replace('_', '-').toLowerCase());
  const [language] = readLanguage().toLowerCase().split('-');
  const languageTag = tags.find((tag) => tag.split('-')[0] === language);
  const [value = languageTag ?? 'en', choose] = useState<string>();
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
            {languageNames.of(tag)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SignedInDevices() {
  const { format } = useHome();
  const sessions = useCustomerQuery('sessions', () => client.account.sessions());
  const onSuccess = (text: string) => {
    showToast(text);
    return sessions.refetch();
  };
  const revoke = useMutation({
    mutationFn: ({ id }: { id: string; label: string }) => client.account.revokeSession({ sessionId: id }),
    onSuccess: (_, { label }) => onSuccess(`${label} is signed out.`),
  });
  const revokeOthers = useMutation({
    mutationFn: () => client.account.revokeOtherSessions(),
    onSuccess: () => onSuccess('All other devices are signed out.'),
  });
  const error = revoke.error ?? revokeOthers.error;

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
                  onClick={() => revoke.mutate({ id, label })}
                >
                  Sign out
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {(sessions.data?.nodes.length ?? 0) > 1 && (
        <button type="button" onClick={() => revokeOthers.mutate()}>
          Sign out all other devices
        </button>
      )}
      {error && <Problem error={error} />}
    </Section>
  );
}
