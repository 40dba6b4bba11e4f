/** Where this browser keeps the chosen scheme: `light` or `dark`; without it, the system's setting applies. */
const STORAGE_KEY = 'colour-scheme';
const ATTRIBUTE = 'data-colour-scheme';

/** First attributes of the root element; the script of {@link ColourSchemeScript} changes them before the page is drawn. */
export const colourSchemeProps = { suppressHydrationWarning: true, [ATTRIBUTE]: 'light' };

const SCRIPT = `(function () {
  var dark = window.matchMedia('(prefers-color-scheme: dark)');
  function apply() {
    var kept = null;
    try { kept = window.localStorage.getItem('${STORAGE_KEY}'); } catch (error) {}
    var scheme = kept === 'dark' || kept === 'light' ? kept : dark.matches ? 'dark' : 'light';
    document.documentElement.setAttribute('${ATTRIBUTE}', scheme);
  }
  apply();
  dark.addEventListener('change', apply);
  window.addEventListener('storage', apply);
})();`;

/** Sets the colour scheme before the first paint, and follows the system and other windows afterwards. */
export function ColourSchemeScript({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}

/** Switches between light and dark, and keeps the choice in this browser. */
export function toggleColourScheme(): void {
  const next = document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'light' : 'dark';
  document.documentElement.setAttribute(ATTRIBUTE, next);
  try {
    window.localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
