import { mount } from '#/mount.ts';
import { serveHealth } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveHealth);
