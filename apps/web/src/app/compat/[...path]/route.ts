import { mount } from '#/mount.ts';
import { serveCompat } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveCompat);
