# Not tried yet.
class Opshift < Formula
  desc "Moves ONNX models between opsets and proves that nothing else changed"
  homepage "HOME-PAGE"
  url "RELEASE-ARCHIVE/opshift-0.1.0.tar.xz"
  sha256 "SHA256"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on "jansson"
  depends_on "libyaml"
  depends_on "nettle"
  depends_on "protobuf-c"

  uses_from_macos "libxml2"
  uses_from_macos "zlib"

  def install
    system "./configure", "--enable-shared-command", *std_configure_args
    system "make", "install"
  end

  test do
    (testpath/"net.txt").write <<~TEXT
      <ir_version: 8, opset_import: ["" : 11]>
      net (float[2, 4] x) => (float[2, 2] a, float[2, 2] b) { a, b = Split <axis = 1> (x) }
    TEXT
    system bin/"opshift", "assemble", "net.txt", "-o", "net.onnx"
    system bin/"opshift", "convert", "net.onnx", "--opset", "18", "-o", "net18.onnx", "--verify"
  end
end
