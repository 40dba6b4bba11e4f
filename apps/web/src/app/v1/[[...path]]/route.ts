import { mount } from '#/mount.ts';
import { serveV1 } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveV1);
