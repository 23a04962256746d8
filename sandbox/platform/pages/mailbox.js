/** Brings new mail to the open page. The list is replaced only when it changed, so a reader is not disturbed. */
const list = document.querySelector('[data-mails]');
const status = document.querySelector('[role="status"]');
const EVERY_MS = 2000;

let lastHtml = list.innerHTML;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(list.dataset.mails).catch(() => undefined);
  if (!answer?.ok) {
    status.textContent = 'The platform is not responding. The list has not been updated.';
    return;
  }
  const text = await answer.text();
  const seen = document.createElement('ol');
  seen.innerHTML = text;
  if (seen.innerHTML === lastHtml) {
    if (status.textContent.startsWith('The platform')) status.textContent = '';
    return;
  }
  list.innerHTML = text;
  lastHtml = list.innerHTML;
  const subject = list.querySelector('h2')?.textContent;
  status.textContent = subject ? `New mail: ${subject}` : 'The mailbox is empty.';
}

setInterval(refresh, EVERY_MS);
