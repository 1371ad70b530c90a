# Not tried yet. In a clone: nix-build -E 'with import <nixpkgs> {}; callPackage ./packaging/nix {}'
{ lib, stdenv, fetchurl, pkg-config, protobufc, libyaml, jansson, libxml2, zlib, nettle, perl }:

stdenv.mkDerivation rec {
  pname = "opshift";
  version = "0.1.0";

  src = fetchurl {
    url = "RELEASE-ARCHIVE/opshift-${version}.tar.xz";
    hash = "sha256-SHA256";
  };

  nativeBuildInputs = [ pkg-config protobufc perl ];
  buildInputs = [ protobufc libyaml jansson libxml2 zlib nettle ];

  # libxml2 is not on a path that the loader searches.
  configureFlags = [ "--enable-shared-command" "--enable-linked-libxml2" ];
  enableParallelBuilding = true;

  doInstallCheck = true;
  installCheckPhase = "$out/bin/opshift --version";

  meta = {
    description = "Moves ONNX models between opsets and proves that nothing else changed";
    homepage = "HOME-PAGE";
    license = lib.licenses.asl20;
    mainProgram = "opshift";
    platforms = lib.platforms.linux;
  };
}
