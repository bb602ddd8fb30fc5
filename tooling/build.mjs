// Sets everything up without starting anything: what an image or a package build needs.
import { setUp } from './set-up/set-up.mjs';

await setUp();
