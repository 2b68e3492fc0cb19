// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @input(%x: tensor<1x1x35x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{input must be a flattened image 1x1x(1x6x6)x4, not 1x1x35x4}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x35x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @input_rank(%x: tensor<1x6x6x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{input must be a flattened image 1x1x(1x6x6)x4, not 1x6x6x4}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x6x6x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @result(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{result must be a flattened image 1x1x(1x6x6)x8, not 1x1x16x8}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x16x8xbf16>
  return
}
// -----
func.func @four_paddings(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{result must be a flattened image 1x1x(1x6x4)x8, not 1x1x24x7}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 2, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x24x7xbf16>
  return
}
// -----
func.func @weight(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x3x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIHW 8x4x3x3, not 8x3x3x3}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x3x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @bias(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %b: tensor<1x1x1x4xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias has extent 4 in dimension 3, but attribute 'out_channels' gives 8}}
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x1x1x4xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @bias_rank(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %b: tensor<8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias must have 4 dimensions, not 1}}
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, tensor<8xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @groups(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'groups' (3) must divide in_channels (4) and out_channels (8)}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 3 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @no_groups(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'groups' must be positive and fit 32 bits}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 0 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @negative(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'input_height' must be positive and fit 32 bits}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = -6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @kernel_entries(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'kernel_size' must have 2 entries, not 1}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @stride(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'stride' must have entries of at least 1}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 0, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @dilation(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'dilation' must have entries of at least 1}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, -1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @padding_entries(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'padding' must have 2 or 4 entries, not 3}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @padding(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'padding' must have entries of at least 0}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, -1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @window(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{window spans 11 elements in height, but the padded input has 8}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 5, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @huge(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{window spans 4611686011984936963 elements in height, but the padded input has 8}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 2147483647, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 2147483647, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @missing(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{requires attribute 'stride'}}
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @transposed_weight(%x: tensor<1x1x36x4xbf16>, %w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be IOHW 4x8x3x3, not 8x4x3x3}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @transposed(%x: tensor<1x1x36x4xbf16>, %w: tensor<4x8x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{result has extent 7 in dimension 3, but attribute 'out_channels' gives 8}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<4x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x49x7xbf16>
  return
}
// -----
func.func @transposed_empty(%x: tensor<1x1x36x4xbf16>, %w: tensor<4x8x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{output would have -10x6 elements}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 9, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<4x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @transposed_channels(%x: tensor<1x1x36x3xbf16>, %w: tensor<4x8x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{input must be an image 1x6x6x4 or flattened to 1x1x(1x6x6)x4, not 1x1x36x3}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x3xbf16>, tensor<4x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @transposed_input(%x: tensor<1x6x5x4xbf16>, %w: tensor<4x8x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{input must be an image 1x6x6x4 or flattened to 1x1x(1x6x6)x4, not 1x6x5x4}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x6x5x4xbf16>, tensor<4x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @output_padding(%x: tensor<1x1x36x4xbf16>, %w: tensor<4x8x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'output_padding' must have 2 entries, not 0}}
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x36x4xbf16>, tensor<4x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x8xbf16>
  return
}
// -----
func.func @depth(%x: tensor<1x4x6x6x4xbf16>, %w: tensor<108x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{input has shape 1x4x6x6x4, but NDHWC gives 1x5x6x6x4}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x4x6x6x4xbf16>, tensor<108x8xbf16>, !ttnn.device) -> tensor<1x3x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_result(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<108x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{result has shape 1x5x6x6x8, but the convolution gives 1x3x6x6x8}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<108x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_bias_rank(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<108x8xbf16>, %b: tensor<8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias has shape 8, but attribute 'out_channels' gives 1x8}}
  %0 = "ttnn.conv3d"(%x, %w, %b, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<108x8xbf16>, tensor<8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_bias(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<108x8xbf16>, %b: tensor<8x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias has shape 8x8, but attribute 'out_channels' gives 1x8}}
  %0 = "ttnn.conv3d"(%x, %w, %b, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<108x8xbf16>, tensor<8x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_mode(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<108x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'padding_mode' must be zeros or replicate, not circular}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "circular", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<108x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_kernel(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<8x4x3x3x2xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIDHW 8x4x3x3x3 or prepared 108x8, not 8x4x3x3x2}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<8x4x3x3x2xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_prepared(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<216x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIDHW 8x4x3x3x3 or prepared 108x8, not 216x8}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<216x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_weight_rank(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<12x9x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIDHW 8x4x3x3x3 or prepared 108x8, not 12x9x8}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<12x9x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
// Of groups a prepared weight has the rows of all channels, filled up to tiles, or those of a group.
func.func @conv3d_groups(%x: tensor<1x5x6x6x8xbf16>, %w: tensor<216x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIDHW 8x4x3x3x3 or prepared 108x8 or 864x8, not 216x8}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 2 : i32, in_channels = 8 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x8xbf16>, tensor<216x8xbf16>, !ttnn.device) -> tensor<1x3x6x6x8xbf16>
  return
}
// -----
func.func @conv3d_window(%x: tensor<1x5x6x6x4xbf16>, %w: tensor<252x8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{window spans 7 elements in depth, but the padded input has 5}}
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_depth = 5 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 7, 3, 3>, out_channels = 8 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x5x6x6x4xbf16>, tensor<252x8xbf16>, !ttnn.device) -> tensor<1x5x6x6x8xbf16>
  return
}
// -----
func.func @pool_input(%x: tensor<1x1x49x32xbf16>) {
  // expected-error@+1 {{input must be a flattened image 1x1x(2x7x7)x32, not 1x1x49x32}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x49x32xbf16>) -> tensor<1x1x18x32xbf16>
  return
}
// -----
func.func @pool_result(%x: tensor<1x1x98x32xbf16>) {
  // expected-error@+1 {{result must be a flattened image 1x1x(2x3x3)x32, not 1x1x32x32}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x32x32xbf16>
  return
}
// -----
func.func @pool_without_mode(%x: tensor<1x1x98x32xbf16>) {
  // expected-error@+1 {{requires attribute 'ceil_mode'}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x32x32xbf16>
  return
}
// -----
func.func @pool_ceil(%x: tensor<1x1x98x32xbf16>) {
  // expected-error@+1 {{result must be a flattened image 1x1x(2x4x4)x32, not 1x1x18x32}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = true, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x18x32xbf16>
  return
}
// -----
func.func @pool_window(%x: tensor<1x1x98x32xbf16>) {
  // expected-error@+1 {{window spans 9 elements in width, but the padded input has 7}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 9>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x18x32xbf16>
  return
}
// -----
func.func @pool_channels(%x: tensor<1x1x98x32xbf16>) {
  // expected-error@+1 {{attribute 'channels' must be positive and fit 32 bits}}
  %0 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 0 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x18x32xbf16>
  return
}
// -----
func.func @global(%x: tensor<7x7x32xbf16>) {
  // expected-error@+1 {{input must have 4 dimensions, not 3}}
  %0 = "ttnn.global_avg_pool2d"(%x) : (tensor<7x7x32xbf16>) -> tensor<1x1x32xbf16>
  return
}
// -----
func.func @global_result(%x: tensor<2x7x7x32xbf16>) {
  // expected-error@+1 {{result has shape 2x32, but the mean of each image gives 2x1x1x32}}
  %0 = "ttnn.global_avg_pool2d"(%x) : (tensor<2x7x7x32xbf16>) -> tensor<2x32xbf16>
  return
}
// -----
func.func @upsample(%x: tensor<2x7x7x32xbf16>) {
  // expected-error@+1 {{result has shape 2x7x14x32, but attribute 'scale_factor' gives 2x14x14x32}}
  %0 = "ttnn.upsample"(%x) <{scale_factor = 2 : si32}> : (tensor<2x7x7x32xbf16>) -> tensor<2x7x14x32xbf16>
  return
}
// -----
func.func @scale(%x: tensor<2x7x7x32xbf16>) {
  // expected-error@+1 {{attribute 'scale_factor' must be positive and keep extents within 64 bits}}
  %0 = "ttnn.upsample"(%x) <{scale_factor = 0 : si32}> : (tensor<2x7x7x32xbf16>) -> tensor<2x7x14x32xbf16>
  return
}
// -----
func.func @scales(%x: tensor<2x7x7x32xbf16>) {
  // expected-error@+1 {{attribute 'scale_factor' must have 2 entries, not 3}}
  %0 = "ttnn.upsample"(%x) <{scale_factor = array<i32: 1, 1, 1>}> : (tensor<2x7x7x32xbf16>) -> tensor<2x7x14x32xbf16>
  return
}
// -----
func.func @mode(%x: tensor<2x7x7x32xbf16>) {
  // expected-error@+1 {{attribute 'mode' must be nearest or bilinear, not cubic}}
  %0 = "ttnn.upsample"(%x) <{mode = "cubic", scale_factor = 2 : si32}> : (tensor<2x7x7x32xbf16>) -> tensor<2x14x14x32xbf16>
  return
}
// -----
func.func @prepare(%w: tensor<8x4x3x2xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be OIHW 8x4x3x3, not 8x4x3x2}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x4x3x2xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_bias_rank(%w: tensor<8xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias must have 4 dimensions, not 1}}
  %0 = "ttnn.prepare_conv_transpose2d_bias"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<8xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_bias(%w: tensor<1x1x1x4xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{bias has extent 4 in dimension 3, but attribute 'out_channels' gives 8}}
  %0 = "ttnn.prepare_conv2d_bias"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x1x4xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_transposed_format(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'weights_format' must be IOHW, not OIHW}}
  %0 = "ttnn.prepare_conv_transpose2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_transposed(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must be IOHW 4x8x3x3, not 8x4x3x3}}
  %0 = "ttnn.prepare_conv_transpose2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "IOHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_padding(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'padding' must have 2 or 4 entries, not 3}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_dilation(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'dilation' must have 2 entries, not 1}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_stride(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'stride' must have 2 entries, not 1}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1>, weights_format = "OIHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_kernel(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'kernel_size' must have 2 entries, not 3}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_format(%w: tensor<8x4x3x3xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'weights_format' must be OIHW, not HWIO}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "HWIO"}> : (tensor<8x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
// -----
func.func @prepare_rank(%w: tensor<8x36xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight_tensor must have 4 dimensions, not 2}}
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 4 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 6 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<8x36xbf16>, !ttnn.device) -> tensor<1x1x32x8xbf16>
  return
}
