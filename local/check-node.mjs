// Runs before `npm start`, in JavaScript that every Node understands: an older one cannot even read the rest.
const NEEDED = 24;
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `Leaseboard needs Node ${NEEDED} or newer, and this is ${process.version}.\n` +
      'On Linux `npm ci` brings its own, unless optional packages were left out; elsewhere install it from nodejs.org.',
  );
  process.exit(1);
}
