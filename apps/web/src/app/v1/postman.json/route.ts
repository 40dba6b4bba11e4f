import { mount } from '#/mount.ts';
import { servePostman } from '#/server/native/rest.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(servePostman);
