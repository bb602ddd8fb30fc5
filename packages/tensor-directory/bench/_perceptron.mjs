// A perceptron of two square layers with a Relu between them, as an ONNX file.

export function perceptron(size) {
  const weights = () =>
    new Uint8Array(Float32Array.from({ length: size * size }, () => (Math.random() - 0.5) / Math.sqrt(size)).buffer);
  const tensor = (name) => [
    ...integer(1, size),
    ...integer(1, size),
    ...integer(2, 1),
    ...text(8, name),
    ...field(9, [weights()]),
  ];
  const node = (operator, inputs, output) => [
    ...inputs.flatMap((input) => text(1, input)),
    ...text(2, output),
    ...text(4, operator),
  ];
  const value = (name) => {
    const sizes = [...field(1, text(2, 'batch')), ...field(1, integer(1, size))];
    return [...text(1, name), ...field(2, field(1, [...integer(1, 1), ...field(2, sizes)]))];
  };
  const graph = [
    ...field(1, node('MatMul', ['x', 'w0'], 'h')),
    ...field(1, node('Relu', ['h'], 'r')),
    ...field(1, node('MatMul', ['r', 'w1'], 'y')),
    ...text(2, 'perceptron'),
    ...field(5, tensor('w0')),
    ...field(5, tensor('w1')),
    ...field(11, value('x')),
    ...field(12, value('y')),
  ];
  return Buffer.concat([...integer(1, 8), ...field(7, graph), ...field(8, [...text(1, ''), ...integer(2, 17)])]);
}

const integer = (number, value) => [varint(number * 8), varint(value)];
const text = (number, value) => field(number, [Buffer.from(value)]);
const field = (number, pieces) => [
  varint(number * 8 + 2),
  varint(pieces.reduce((sum, piece) => sum + piece.length, 0)),
  ...pieces,
];

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
