import { sandboxUrl } from '#/app/docs/installation-text.ts';

/** Where the sandbox of this installation is, in a sentence; or that there is none. */
export function SandboxAddress() {
  const sandbox = sandboxUrl();
  if (sandbox === null) {
    return (
      <>
        This installation runs no sandbox; <code>npm start</code> does on a machine of your own. <code>$SANDBOX_URL</code> stands
        for its address here.
      </>
    );
  }
  return (
    <>
      The sandbox of this installation is at <code>{sandbox}</code>.
    </>
  );
}
