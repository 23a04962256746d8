/** The style of the claim pages. The pages contain it inline, and their policy allows it by its hash. */
export const claimStyle = `
:root { color-scheme: light dark; --ink: #1d2521; --soft: #56625c; --paper: #f3f5f2; --card: #fff;
  --line: #d9e0da; --accent: #1f6b4a; --on-accent: #fff; --bad: #9c2f25; --bad-paper: #fbeceb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eeea; --soft: #a3b0a9; --paper: #131815;
  --card: #1c2320; --line: #35403a; --accent: #63c596; --on-accent: #0d1a13; --bad: #ff9d92; --bad-paper: #3a211f; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 36rem; padding: clamp(1.5rem, 5vw, 2.5rem); background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; outline: 0; text-wrap: balance; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
p { margin: 0 0 .75rem; }
ol, ul { margin: 0; padding-left: 1.25rem; }
li { margin-bottom: .35rem; }
.kind { margin-bottom: .5rem; color: var(--accent); font-weight: 600; font-size: .875rem; }
.soft { color: var(--soft); font-size: .9rem; }
form { margin: 1.75rem 0 1rem; }
label { display: block; margin-bottom: .35rem; font-weight: 600; }
input, button { width: 100%; padding: .75rem .9rem; font: inherit; border-radius: .6rem; }
input { margin-bottom: .75rem; color: inherit; background: var(--paper); border: 1px solid var(--line); }
button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button:disabled, input:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { margin-top: .9rem; padding: .75rem .9rem; border-radius: .6rem; background: var(--bad-paper); color: var(--bad); }
output { display: block; margin: 1rem 0; padding: 1rem; border: 1px dashed var(--accent); border-radius: .6rem;
  background: var(--paper); font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
`;
