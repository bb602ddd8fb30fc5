/** A file that is damaged, or that holds what a tensor cannot. The message is for the user. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}
