/**
 * The script of the claim page. It requests the sealed key and decrypts it in the browser. The page contains it inline,
 * and the page's policy allows it by its hash, so the script is constant text and writes no HTML.
 */
export const claimScript = `'use strict';
(() => {
  const form = document.getElementById('claim');
  if (!form) return;
  const field = document.getElementById('domain');
  const button = document.getElementById('show');
  const problem = document.getElementById('problem');
  const shown = document.getElementById('shown');
  const key = document.getElementById('key');
  const copy = document.getElementById('copy');
  const secret = location.hash.slice(1);
  const bytes = new TextEncoder();

  for (const time of document.querySelectorAll('time')) {
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) {
    say('This link is incomplete: the part after # is missing. Copy the whole link from the message and open it again.');
    return;
  }
  field.disabled = button.disabled = false;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    say('');
    button.disabled = true;
    button.textContent = 'Opening…';
    try {
      const sealed = await claim(field.value);
      if (sealed) await reveal(sealed);
    } catch {
      say('The key could not be fetched. Nothing is lost: check your connection, and try again within two minutes.');
    } finally {
      button.disabled = false;
      button.textContent = 'Show the key';
    }
  });

  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(key.textContent);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(key);
      copy.textContent = 'Selected: copy it with your keyboard';
    }
  });

  /** Requests the sealed key. May be repeated: the same claim id gets the same response again. */
  async function claim(domain) {
    const body = JSON.stringify({ claimId: claimId(), proof: base64url(await derive('one-time-link proof')), domain });
    for (let tries = 1; ; tries++) {
      try {
        const response = await fetch(location.pathname, {
          method: 'POST', body, headers: { 'content-type': 'application/json' }, cache: 'no-store', redirect: 'error',
        });
        const answer = await response.json();
        if (response.ok) return answer.sealedKey;
        // A 429 of API Gateway has no error code. The service did not run, so a retry is safe.
        const isPassing = response.status >= 500 || (response.status === 429 && !answer.error);
        if (!isPassing || tries >= 4) {
          say(answer.error ? answer.error.message : 'That did not work. Try again.');
          return undefined;
        }
      } catch (error) {
        if (tries >= 4) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** (tries - 1)));
    }
  }

  async function reveal(sealedKey) {
    const box = fromBase64url(sealedKey);
    const opener = await crypto.subtle.importKey('raw', await derive('one-time-link seal'), 'AES-GCM', false, ['decrypt']);
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: box.subarray(0, 12) }, opener, box.subarray(12));
    key.textContent = new TextDecoder().decode(text);
    document.getElementById('before').hidden = true;
    shown.hidden = false;
    history.replaceState(null, '', location.pathname);
    document.title = 'Your admin key';
    document.getElementById('shown-title').focus();
  }

  function claimId() {
    const name = 'claim ' + location.pathname;
    const made = base64url(crypto.getRandomValues(new Uint8Array(16)));
    try {
      const kept = sessionStorage.getItem(name) || made;
      sessionStorage.setItem(name, kept);
      return kept;
    } catch {
      return (claimId.made = claimId.made || made);
    }
  }

  async function derive(label) {
    const material = await crypto.subtle.importKey('raw', fromBase64url(secret), 'HKDF', false, ['deriveBits']);
    const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes.encode(label) };
    return new Uint8Array(await crypto.subtle.deriveBits(how, material, 256));
  }

  function base64url(data) {
    return btoa(String.fromCharCode(...data)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }
  function fromBase64url(text) {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  }
  function say(words) {
    problem.textContent = words;
    problem.hidden = words === '';
  }
})();
`;
