import { mount } from '#/mount.ts';
import { serveRuleSetSchema } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveRuleSetSchema);
