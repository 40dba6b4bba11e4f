/** Sends one call to the sandbox's control API and gives its JSON; throws on a refusal. */
export type SandboxControl = (method: string, path: string, body?: object) => Promise<unknown>;

export function sandboxControl(controlUrl: string): SandboxControl {
  return async (method, path, body) => {
    const answer = await fetch(`${controlUrl}/control/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const json: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
}
