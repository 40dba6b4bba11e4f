/** Resolves once the page has loaded and has nothing to do. An aborted `signal` lets it wait for ever. */
export function whenIdle(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const idle = () => ('requestIdleCallback' in window ? requestIdleCallback(() => resolve()) : setTimeout(resolve, 200));
    if (document.readyState === 'complete') idle();
    else window.addEventListener('load', idle, { once: true, signal });
  });
}
