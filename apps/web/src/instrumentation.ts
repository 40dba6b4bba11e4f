/** Runs once, before the first request, however the application is started. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { watchClientAddresses } = await import(/* turbopackIgnore: true */ '@switchyard/api/client-address');
  watchClientAddresses(process.env);
}
