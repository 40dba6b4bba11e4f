import { mount } from '#/mount.ts';
import { serveOpenApi } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveOpenApi);
